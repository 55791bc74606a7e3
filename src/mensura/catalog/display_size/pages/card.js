// The rectangle is as wide as the number says; a card stands upright, 53.98 mm wide and 85.60 mm high.
const HEIGHT = 85.6 / 53.98;
const FIRST = 220;

export default function enhance(element, { form }) {
  const card = element.querySelector("[data-card]");
  const field = form.elements.answer;
  const draw = () => {
    const width = Number(field.value) || FIRST;
    card.style.width = `${width}px`;
    card.style.height = `${width * HEIGHT}px`;
  };
  form.addEventListener("input", draw);
  draw();
}
