// Elements made of words, and numbers as people read them.
export function part(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export function number(value, digits = 1) {
  return Number(value).toFixed(digits).replace("-", "−");
}

// A scene at a share of the way from one moment to the next; what was not there before is where it is.
export function between(before, after, share) {
  if (!before || share >= 1) return after;
  const past = new Map(before.things.map((thing) => [thing.name, thing]));
  const mid = (one, other) => other.map((value, i) => one[i] + (value - one[i]) * share);
  const move = (one, other) => (one ? { ...other, at: mid(one.at, other.at), angle: one.angle + (other.angle - one.angle) * share } : other);
  const agents = after.agents.map((agent, i) => {
    const was = before.agents[i];
    return was ? { ...move(was, agent), hands: agent.hands.map((hand, side) => mid(was.hands[side], hand)) } : agent;
  });
  const [old, now] = [before.water?.places, after.water?.places];
  const water = now && old?.length === now.length ? { places: mid(old, now) } : after.water;
  return { ...after, things: after.things.map((thing) => move(past.get(thing.name), thing)), agents, water };
}
