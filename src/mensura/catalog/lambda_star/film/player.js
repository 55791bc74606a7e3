const canvas = document.getElementById("film");
const time = document.getElementById("time");
const words = document.getElementById("words");
const button = document.getElementById("play");
const pen = canvas.getContext("2d");
const side = 40;
const last = film.agents.length - 1;
let timer = null;

canvas.width = film.columns * side;
canvas.height = film.rows * side;
time.max = last;

const around = (a, b, length) => Math.min((a - b + length) % length, (b - a + length) % length);
const place = (cell) => [Math.floor(cell / film.columns), cell % film.columns];

function gain(cell, object) {
  const [row, column] = place(cell), [down, right] = place(object);
  const distance = Math.max(around(row, down, film.rows), around(column, right, film.columns));
  return distance < 2 ? 1 / (distance + 1) : 0;
}

function disc(cell, radius, colour, sign) {
  const [row, column] = place(cell);
  pen.fillStyle = colour;
  pen.beginPath();
  pen.arc((column + 0.5) * side, (row + 0.5) * side, radius * side, 0, 2 * Math.PI);
  pen.fill();
  if (sign) {
    pen.fillStyle = "#fff";
    pen.font = `bold ${side * 0.7}px system-ui, sans-serif`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillText(sign, (column + 0.5) * side, (row + 0.53) * side);
  }
}

function show(iteration) {
  pen.clearRect(0, 0, canvas.width, canvas.height);
  for (let cell = 0; cell < film.rows * film.columns; cell++) {
    const worth = gain(cell, film.good[iteration]) - gain(cell, film.evil[iteration]);
    const [row, column] = place(cell);
    pen.fillStyle = worth > 0 ? `rgba(24,128,56,${0.5 * worth})` : worth < 0 ? `rgba(190,30,35,${-0.5 * worth})` : "#fff";
    pen.fillRect(column * side, row * side, side, side);
    pen.strokeStyle = "#dee2e6";
    pen.strokeRect(column * side, row * side, side, side);
  }
  disc(film.good[iteration], 0.42, "#188038", "+");
  disc(film.evil[iteration], 0.42, "#be1e23", "\u2212");
  film.agents[iteration].forEach((cell, number) => {
    const [row, column] = place(cell);
    const shift = film.agents[iteration].length > 1 ? ((number % 5) - 2) * 0.12 : 0;
    pen.fillStyle = "#203e78";
    pen.fillRect((column + 0.38 + shift) * side, (row + 0.38) * side, side * 0.24, side * 0.24);
  });
  const earned = iteration ? film.rewards[iteration - 1] : null;
  const mean = earned ? earned.reduce((sum, reward) => sum + reward, 0) / earned.length : null;
  words.textContent = earned ? `Iteration ${iteration} of ${last}: reward ${mean.toFixed(2)}` : `Start; ${last} iterations`;
  time.value = iteration;
}

function stop() {
  clearInterval(timer);
  timer = null;
  button.textContent = "Play";
}

button.addEventListener("click", () => {
  if (timer) return stop();
  if (Number(time.value) >= last) show(0);
  button.textContent = "Stop";
  timer = setInterval(() => (Number(time.value) < last ? show(Number(time.value) + 1) : stop()), 250);
});
time.addEventListener("input", () => { stop(); show(Number(time.value)); });
show(0);
