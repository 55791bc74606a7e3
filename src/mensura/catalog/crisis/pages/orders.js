// Orders and budget: what stands, where it goes, what it costs; changing and cancelling.
import { h, labelled, money, options } from "./element.js";
import { sure } from "./sure.js";

export const orders = { name: "orders", title: "Orders & budget", draw };

function draw(desk) {
  const { office, memory } = desk;
  const open = office.order(memory.get("order"));
  const wanted = desk.value("orders:filter").trim().toLowerCase();
  const shown = office.orders.filter((order) => words(office, order).toLowerCase().includes(wanted));
  return h("div", { class: "orders", "data-open": open ? "" : null },
    h("div", { class: "orders-main" },
      budget(office),
      h("p", { class: "bar" },
        desk.field("input", "orders:filter",
          { type: "search", placeholder: "Filter orders", "aria-label": "Filter orders", changed: () => desk.draw() },
        ),
      ),
      h("div", { class: "scroll fill", "data-scroll": "orders" }, h("table", { class: "table" },
        h("thead", {},
          h("tr", {}, ["Order", "What", "Vendor", "For", "Goes to", "Costs"].map((each) => h("th", { scope: "col" }, each))),
        ),
        h("tbody", {},
          shown.map((order) => row(desk, order, open)),
          office.cancelled.map((order) => row(desk, { ...order, cancelled: true }, open)),
        )))),
    open ? panel(desk, open) : null);
}

function words(office, order) {
  const things = [order.vendor, order.event, order.room].map((id) => office.name(id));
  return [order.id, office.item(order.vendor, order.item)?.name, ...things].join(" ");
}

function cost(office, order) {
  const [vendor, item, event] = [
    office.vendor(order.vendor),
    office.item(order.vendor, order.item),
    office.event(order.event),
  ];
  return item.price * order.quantity * event.length + vendor.delivery;
}

function row(desk, order, open) {
  const { office } = desk;
  const place = office.place(order.event);
  // Only a schedule with checks knows that goods and event have parted.
  const parted = office.checks && !order.cancelled && (!place || place[0] !== order.room || place[1] !== order.slot);
  return h("tr", { class: order.cancelled ? "gone" : null, "aria-current": open?.id === order.id ? "true" : null },
    h("th", { scope: "row" },
      order.cancelled ? order.id : h("button",
        { type: "button", class: "link", "data-place": `order:${order.id}`, onclick: () => desk.open("order", order.id) },
        order.id,
      ),
    ),
    h("td", {}, `${order.quantity} × ${office.item(order.vendor, order.item)?.name}`),
    h("td", {}, office.name(order.vendor)),
    h("td", {}, office.name(order.event)),
    h("td", {},
      office.placeWords([order.room, order.slot]),
      parted ? h("b", { class: "warn", title: "The event is somewhere else by now" }, "!") : null,
    ),
    h("td", {}, order.cancelled ? "cancelled" : money(cost(office, order))));
}

function budget(office) {
  const standing = office.orders.reduce((sum, order) => sum + cost(office, order), 0);
  const facts = [
    ["Budget", money(office.budget)],
    ["Orders that stand", money(standing)],
    ["The replanning costs so far", money(office.spent)],
    ["Rooms asked for", String(office.bumps.length)],
  ];
  return h("dl", { class: "figures" }, facts.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
}

function panel(desk, order) {
  const { office } = desk;
  const [vendor, item] = [office.vendor(order.vendor), office.item(order.vendor, order.item)];
  const names = [`change:${order.id}:quantity`, `change:${order.id}:event`];
  const change = () => {
    const quantity = Number(desk.value(names[0], order.quantity));
    const event = desk.value(names[1], order.event);
    if (!Number.isInteger(quantity) || quantity < 1) return desk.say("The quantity is a whole number from 1 on.", false);
    desk.act("change_order", { order: order.id, quantity, event }, { clear: names });
  };
  const event = office.event(desk.value(names[1], order.event));
  const refund = item.price * order.quantity * office.event(order.event).length;
  return h("aside", { class: "panel", "aria-label": `Order ${order.id}` },
    h("p", { class: "panel-head" },
      h("b", {}, `Order ${order.id}`),
      desk.button("Close", () => desk.open("order", null), { class: "link" }),
    ),
    h("h3", {}, `${order.quantity} × ${item.name}`),
    h("p", {}, `${vendor.name}, for ${office.name(order.event)}, to ${office.placeWords([order.room, order.slot])}.`),
    h("p", { class: "soft" }, `${office.name(order.event)} is scheduled: ${office.placeWords(office.place(order.event))}.`),
    order.cancelled ? h("p", {}, "It has been cancelled.") : [
      desk.can("change_order") ? desk.form(change, { class: "stack form" }, h("h4", {}, "Change"),
        labelled("Quantity", desk.field("input", names[0], { type: "number", min: 1, step: 1 }, String(order.quantity))),
        labelled("For",
          desk.field("select", names[1],
            { changed: () => desk.draw() },
            order.event,
            options(office.events.map((each) => [each.id, each.short]), event?.id),
          ),
        ),
        h("p", { class: "hint" },
          `It will go to ${office.placeWords(office.place(event.id))}. The change costs ${money(vendor.change_fee)}.`,
        ),
        h("p", { class: "row" }, h("button", { class: "small strong" }, "Change the order"))) : null,
      desk.can("cancel_order") ? h("div", { class: "form" }, h("h4", {}, "Cancel"),
        h("p", { class: "hint" }, `${money(refund)} comes back; the fee is ${money(vendor.cancel_fee)}.`),
        h("p", { class: "row" },
          sure(
            desk,
            `cancel:${order.id}`,
            "Cancel the order",
            () => desk.act("cancel_order", { order: order.id }, { after: () => desk.memory.set("sure", null) }),
          ),
        )) : null,
    ]);
}
