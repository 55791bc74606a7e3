// Making sure: what cannot be undone takes a second click.
export function sure(desk, name, words, act) {
  if (desk.memory.get("sure") !== name) return desk.button(
    words,
    () => desk.open("sure", name, { focus: `sure:${name}` }),
    { class: "small", "data-place": `first:${name}` },
  );
  return [
    desk.button(
      `Yes, ${words[0].toLowerCase()}${words.slice(1)}`,
      act,
      { class: "small danger", "data-place": `sure:${name}` },
    ),
    desk.button("No", () => desk.open("sure", null), { class: "small" }),
  ];
}
