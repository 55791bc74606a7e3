// A player: says in words when its file cannot be loaded.
export default function enhance(element) {
  const player = element.querySelector("audio, video");
  if (!player) return;
  const fail = () => {
    player.hidden = true;
    element.querySelector("[data-failed]").hidden = false;
  };
  if (player.error) fail();
  player.addEventListener("error", fail);
}
