// Vendors: what they sell, at what price, and their order forms.
import { arrows } from "./arrows.js";
import { h, labelled, money, options } from "./element.js";

export const vendors = { name: "vendors", title: "Vendors", draw };

function draw(desk) {
  const { office, memory } = desk;
  const vendor = office.vendor(memory.get("vendor")) ?? office.vendors[0];
  return h("div", { class: "two" },
    h("nav", { class: "side-list", onkeydown: arrows, "aria-label": "Vendors" }, office.vendors.map((each) => h("button", {
      type: "button",
      class: "pick",
      "aria-current": each === vendor ? "true" : null,
      "data-place": `vendor:${each.id}`,
      onclick: () => desk.open("vendor", each.id),
    }, each.name, h("small", {}, each.kind)))),
    h("div", { class: "page", "data-scroll": `vendor:${vendor.id}` },
      h("h3", {}, vendor.name),
      h("p", { class: "soft" }, terms(vendor)),
      h("div", { class: "scroll" }, h("table", { class: "table" },
        h("thead", {}, h("tr", {}, ["Item", "Price a unit and block"].map((words) => h("th", { scope: "col" }, words)))),
        h("tbody", {},
          vendor.items.map((item) => h("tr", {}, h("th", { scope: "row" }, item.name), h("td", {}, money(item.price)))),
        ))),
      desk.can("order") ? orderForm(desk, vendor) : null));
}

function terms(vendor) {
  const ahead = vendor.lead_days === 1 ? "one day" : `${vendor.lead_days} days`;
  const [delivery, change, cancel] = [vendor.delivery, vendor.change_fee, vendor.cancel_fee].map(money);
  return `Orders by form only, ${ahead} ahead. Delivery ${delivery} an order; a change costs ${change}, a cancellation ${cancel}.`;
}

function orderForm(desk, vendor) {
  const { office } = desk;
  const names = { item: `order:${vendor.id}:item`, quantity: `order:${vendor.id}:quantity`, event: "order:event" };
  const item = vendor.items.find((each) => each.id === desk.value(names.item)) ?? vendor.items[0];
  const event = office.event(desk.value(names.event));
  const quantity = Number(desk.value(names.quantity, "1"));
  const given = () => ({ vendor: vendor.id, item: item.id, quantity, event: event?.id });
  const ready = () => {
    if (!event) desk.say("Choose the event it is for.", false);
    else if (!Number.isInteger(quantity) || quantity < 1) desk.say("The quantity is a whole number from 1 on.", false);
    else return true;
    return false;
  };
  const order = () => ready() && desk.act("order", given(), { clear: Object.values(names) });
  const redraw = { changed: () => desk.draw() };
  return desk.form(order, { class: "stack form", "aria-label": `Order from ${vendor.name}` },
    h("h4", {}, "Order"),
    labelled("Item",
      desk.field("select", names.item, redraw, item.id, options(vendor.items.map((each) => [each.id, each.name]), item.id)),
    ),
    labelled("Quantity", desk.field("input", names.quantity, { type: "number", min: 1, step: 1, ...redraw }, "1")),
    labelled("For", desk.field("select", names.event,
      redraw,
      "",
      options(office.events.map((each) => [each.id, each.short]), event?.id, { none: "Choose an event" }),
    ),
      event ? `Delivered to ${office.placeWords(office.place(event.id))}` : ""),
    preview(vendor, item, quantity, event),
    h("p", { class: "row" }, h("button", { class: "small strong" }, "Order"),
      desk.can("quote") ? desk.button(
        "Ask for a quote",
        () => ready() && desk.act("quote", given()),
        { class: "small" },
      ) : null));
}

function preview(vendor, item, quantity, event) {
  if (!event || !(quantity >= 1)) return null;
  const goods = item.price * quantity * event.length;
  const blocks = event.length > 1 ? ` × ${event.length} blocks` : "";
  return h("p", { class: "price" },
    `${quantity} × ${money(item.price)}${blocks} + delivery ${money(vendor.delivery)} = `,
    h("b", {}, money(goods + vendor.delivery)),
  );
}
