// Style sheets that tests bring move to the head and stay: a page that is swapped never shows itself unstyled.
export function keepStyles(main) {
  for (const link of main.querySelectorAll(".own > link[rel=stylesheet]")) {
    const href = link.getAttribute("href");
    const known = [...document.head.querySelectorAll("link[rel=stylesheet]")].some((each) => each.getAttribute("href") === href);
    // What the browser has drawn already keeps its own sheet until it goes; the copy in the head is there by then.
    if (!known) document.head.append(link.cloneNode());
    if (!main.isConnected) link.remove();
  }
}
