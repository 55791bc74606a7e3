// Choose a split and an order.
const list = document.querySelector(".starts");
const buttons = [...document.querySelectorAll("button[data-split]")];
for (const button of buttons) {
  button.addEventListener("click", () => {
    for (const one of buttons) one.setAttribute("aria-pressed", String(one === button));
    for (const start of list.children) start.hidden = button.dataset.split !== "all" && start.dataset.split !== button.dataset.split;
  });
}
document.querySelector("select").addEventListener("change", (event) => {
  const by = event.target.value;
  list.append(...[...list.children].sort((one, other) => one.dataset[by] - other.dataset[by]));
});
