"use strict";
const map = document.querySelector(".map");
const readout = document.getElementById("readout");

/** The level that is seen: the one that the address names, else the whole. */
function here() {
  const named = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
  return named?.classList.contains("level") ? named : map.querySelector(".level.root");
}

function tilesOf(level) {
  return [...level.querySelectorAll(".tile > a")];
}

/** Of all tiles of a level one is reached by Tab; the arrow keys go to the others. */
function makeOwn(tile) {
  for (const other of tilesOf(tile.closest(".level"))) other.tabIndex = other === tile ? 0 : -1;
}

function say(tile) {
  readout.textContent = tile.getAttribute("aria-label");
}

function goTo(tile) {
  if (!tile) return;
  makeOwn(tile);
  tile.focus({ preventScroll: true });
  say(tile);
}

/** Shows a level without moving the page. */
function walk(id) {
  const [x, y] = [scrollX, scrollY];
  location.hash = id;
  scrollTo(x, y);
}

/** The nearest tile in a direction: little sideways, then little ahead. */
function nearest(tile, [dx, dy]) {
  const from = tile.getBoundingClientRect();
  let best = null;
  let bestCost = Infinity;
  for (const other of tilesOf(tile.closest(".level"))) {
    const to = other.getBoundingClientRect();
    const ahead = dx > 0 ? to.left - from.right : dx < 0 ? from.left - to.right : dy > 0 ? to.top - from.bottom : from.top - to.bottom;
    if (other === tile || ahead < -4) continue;
    const aside = dx !== 0 ? Math.max(0, to.top - from.bottom, from.top - to.bottom) : Math.max(0, to.left - from.right, from.left - to.right);
    const offset = dx !== 0 ? Math.abs(to.top - from.top) : Math.abs(to.left - from.left);
    const cost = aside * 1000 + Math.max(0, ahead) * 10 + offset;
    if (cost < bestCost) [best, bestCost] = [other, cost];
  }
  return best;
}

const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function onKey(event) {
  const level = event.target.closest(".level");
  const tile = event.target.closest(".tile > a");
  if (!level || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape" || event.key === "Backspace") {
    if (level.dataset.up) walk(level.dataset.up);
  } else if (tile && DIRECTIONS[event.key]) {
    goTo(nearest(tile, DIRECTIONS[event.key]));
  } else if (tile && event.key === "Home") {
    goTo(tilesOf(level)[0]);
  } else if (tile && event.key === "End") {
    goTo(tilesOf(level).at(-1));
  } else {
    return;
  }
  event.preventDefault();
}

function onClick(event) {
  const link = event.target.closest(".level a[href]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  walk(link.getAttribute("href").slice(1));
}

/** After a walk the keyboard is where it led: on the tile one came from when it led up, else on the first. */
function onWalk(event) {
  const level = here();
  if (!location.hash.startsWith("#m") || !level) return;
  const from = new URL(event.oldURL).hash;
  const tiles = tilesOf(level);
  goTo(tiles.find((tile) => tile.getAttribute("href") === from) ?? tiles[0]);
}

if (map) {
  for (const level of map.querySelectorAll(".level")) {
    const first = level.querySelector(".tile > a");
    if (first) makeOwn(first);
  }
  map.addEventListener("keydown", onKey);
  map.addEventListener("click", onClick);
  for (const kind of ["pointerover", "focusin"]) {
    map.addEventListener(kind, (event) => {
      const tile = event.target.closest(".tile > a");
      if (tile) say(tile);
    });
  }
  addEventListener("hashchange", onWalk);
}
