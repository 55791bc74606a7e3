// What is said without being asked: to everyone at the foot of the page, or only to screen readers.
export function say(words) {
  const place = document.getElementById("status");
  if (place && place.textContent !== words) place.textContent = words;
}

export function announce(words) {
  let place = document.getElementById("announce");
  if (!place) {
    place = document.createElement("div");
    place.id = "announce";
    place.className = "unseen";
    place.setAttribute("aria-live", "polite");
    document.body.append(place);
  }
  place.textContent = words;
}
