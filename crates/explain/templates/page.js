const all = new Map();
for (const element of document.querySelectorAll("[data-r]")) {
  const number = Number(element.dataset.r);
  if (!all.has(number)) all.set(number, []);
  all.get(number).push(element);
}
const MARKS = ["self-lit", "whole-lit", "target-lit"];
// More lines than this need no light each: the eye sees where they begin.
const LIT_MAX = 2000;
let lit = [];
let trail = [];

function mark(first, last, name) {
  for (let number = first; number <= Math.min(last, first + LIT_MAX); number += 1) {
    for (const element of all.get(number) ?? []) {
      if (MARKS.some((other) => element.classList.contains(other))) continue;
      element.classList.add(name);
      lit.push(element);
    }
  }
}

function light(number) {
  for (const element of lit) element.classList.remove(...MARKS);
  lit = [];
  const line = lines[number];
  if (!line) return;
  const [first, last, target] = line;
  mark(number, number, "self-lit");
  if (target >= 0) mark(lines[target][0], lines[target][1], "target-lit");
  mark(first, last, "whole-lit");
}

function lineOf(number) {
  return document.getElementById("r" + number);
}

/** Shows the bytes of a line in the map, without moving the page. */
function showInMap(number) {
  const bytes = all.get(number)?.[0];
  const map = bytes?.closest(".map");
  if (!map) return;
  const above = bytes.getBoundingClientRect().top - map.getBoundingClientRect().top;
  if (above < 0 || above > map.clientHeight - 30) map.scrollTop += above - map.clientHeight / 3;
}

function go(number) {
  const line = lineOf(number);
  if (!line) return;
  document.querySelector('.line[tabindex="0"]')?.setAttribute("tabindex", "-1");
  line.setAttribute("tabindex", "0");
  line.focus();
}

function follow(number) {
  const target = lines[number]?.[2] ?? -1;
  if (target < 0) return;
  trail.push(number);
  go(target);
}

function numberOf(event) {
  const element = event.target.closest?.("[data-r]");
  return element ? Number(element.dataset.r) : -1;
}

document.addEventListener("pointerover", (event) => {
  const number = numberOf(event);
  if (number < 0) return;
  light(number);
  if (event.target.closest(".line")) showInMap(number);
});
document.addEventListener("focusin", (event) => {
  const number = numberOf(event);
  if (number < 0) return;
  light(number);
  showInMap(number);
});
document.addEventListener("click", (event) => {
  const number = numberOf(event);
  if (number < 0) return;
  if (event.target.closest(".arrow")) follow(number);
  else go(number);
});
document.addEventListener("keydown", (event) => {
  const number = numberOf(event);
  if (number < 0) return;
  if (event.key === "ArrowDown") go(number + 1);
  else if (event.key === "ArrowUp") go(number - 1);
  else if (event.key === "Enter") follow(number);
  else if (event.key === "Backspace" && trail.length > 0) go(trail.pop());
  else return;
  event.preventDefault();
});
