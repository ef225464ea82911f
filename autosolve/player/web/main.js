// Owns the page: reads the address and the form, turns presses and keys into moves, keeps clock and messages.

const EXAMPLE = "@@EXAMPLE@@";
const LONG_PRESS = 450; // milliseconds
const FINGER = 10; // CSS pixels a finger may move and still be a tap
const SMALLEST = 20;
const LARGEST = 64;
const STEP = 4; // CSS pixels from cell to cell

const view = new View(element("field"));
const clicks = []; // every press on a cell: [row, column, button]
let game = null;
let pitch = 32;
let spent = 0; // milliseconds on the clock when it last stood still
let since = null; // when it began to run, null while it stands
let coming = null; // { address, position } on its way into the address

// ---------------------------------------------------------------- moves

function move(change) {
  if (!change.cells.length) return;
  view.update(change);
  if (since === null && !game.solved) since = performance.now();
  if (since !== null && game.solved) {
    spent += performance.now() - since;
    since = null;
  }
  tell();
}

function press(cell, button) {
  clicks.push([Math.floor(cell / game.cols), cell % game.cols, button]);
  if (!game.solved) move(game.draw(game.press(cell, button)));
}

function undo() {
  move(game.undo());
}

function redo() {
  move(game.redo());
}

function restart() {
  move(game.draw(game.wipe()));
  spent = 0;
  since = null;
  tell();
}

// ---------------------------------------------------------------- what is said

function elapsed() {
  const seconds = Math.floor((spent + (since === null ? 0 : performance.now() - since)) / 1000);
  const two = (n) => String(n).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${two(minutes)}:${two(seconds % 60)}`
    : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

function verdict() {
  const many = (n, one, more) => `${n} ${n === 1 ? one : more}`;
  if (game.solved) return ["good", `Solved in ${elapsed()}.`];
  if (game.wrong) return ["bad", `${many(game.wrong, "number is", "numbers are")} wrong.`];
  if (game.other) return ["bad", "All numbers are right, but the hash is another solution's."];
  if (game.total && game.exact === game.total && game.alone) {
    return ["", `All numbers are right. They say nothing of ${many(game.alone, "cell", "cells")}.`];
  }
  return ["", ""];
}

function tell() {
  const total = game.position.totals.mines;
  const shown = game.position.chars.match(/[*!]/g)?.length ?? 0;
  say("flag-count", total === null ? String(game.flagged) : `${game.flagged} / ${total - shown}`);
  element("flag-count").className = game.verdict(game.number.length - 1) === WRONG && total !== null ? "bad" : "";
  say("clock", elapsed());
  const [mood, words] = verdict();
  element("message").className = `message ${mood}`;
  say("message", words);
  element("undo").disabled = !game.past.length;
  element("redo").disabled = !game.future.length;
  element("restart").disabled = !game.flagged && !game.cells.includes(SAFE) && !spent && since === null;
}

function say(id, words) {
  const place = element(id);
  if (place.textContent !== words) place.textContent = words;
}

// ---------------------------------------------------------------- two views: a puzzle, or opening one

function show(name) {
  element("open-view").hidden = name !== "open";
  element("play-view").hidden = name !== "play";
  element("open").hidden = name === "open";
  element("back").hidden = game === null;
}

function load(position) {
  game = new Game(position);
  spent = 0;
  since = null;
  clicks.length = 0;
  // a finger's screen is narrow; elsewhere the pitch stays what it is at any width
  if (matchMedia("(pointer: coarse)").matches) {
    resize(Math.min(32, Math.max(26, Math.floor((document.documentElement.clientWidth - 28) / game.cols))) - pitch);
  }
  view.show(game);
  element("heading").textContent = `Minesweeper puzzle, ${game.rows} by ${game.cols}`;
  const clues = game.clues.reduce((n, clue) => n + (clue >= 0), 0);
  const link = document.createElement("a");
  link.href = addressOf(position);
  link.textContent = "Link to this puzzle";
  element("facts").replaceChildren(
    `${game.rows} × ${game.cols} cells, ${clues} clues. ${
      position.sha256 ? `Hash of the solution: ${position.sha256.slice(0, 12)}…` : "No hash of the solution is given."
    } `,
    link,
  );
  show("play");
  tell();
}

function ask(problem = null) {
  show("open");
  judgeForm(problem);
}

function complain(problem) {
  return problem instanceof NotationProblem ? `${problem.message} ${problem.remedy}` : "This is not a puzzle.";
}

function judgeForm(problem = null) {
  const place = element("verdict");
  const given = element("puzzle").value.trim();
  let words = "";
  if (!problem && given) {
    try {
      const { rows, cols, chars, sha256: digest } = fromForm();
      const clues = chars.replace(/[^0-8]/g, "").length;
      words = `A board of ${rows} × ${cols} cells with ${clues} clues${digest ? " and a hash" : ""}.`;
    } catch (caught) {
      problem = caught;
    }
  }
  place.className = `verdict ${problem ? "bad" : "good"}`;
  place.textContent = problem ? complain(problem) : words;
}

function fromForm() {
  return parseFields(element("size").value, element("puzzle").value, element("digest").value);
}

/** Puts a puzzle into the address, so that Back, reload and a copied link find it again. */
function visit(position) {
  const address = addressOf(position);
  if (location.hash === address) load(position);
  else {
    coming = { address, position }; // with its marks, which an address does not carry
    location.hash = address;
  }
}

function addressOf(position) {
  return `#${encodeURIComponent(writePosition(position)).replaceAll("%3A", ":")}`;
}

/** What the address gives: { size, puzzle, digest }, or null. */
function fromAddress() {
  const given = location.hash.length > 1 ? location.hash.slice(1) : location.search.slice(1);
  if (!given) return null;
  const query = new URLSearchParams(given);
  const first = (...names) => names.map((name) => query.get(name)).find((value) => value) ?? "";
  const puzzle = first("puzzle", "board", "grid");
  if (puzzle) {
    const size = first("size") || (first("rows") && `${first("rows")}x${first("cols", "columns")}`);
    return { size, puzzle, digest: first("sha256", "hash") };
  }
  try {
    return { size: "", puzzle: decodeURIComponent(given), digest: "" };
  } catch {
    return { size: "", puzzle: given, digest: "" };
  }
}

function arrive() {
  if (coming?.address === location.hash) {
    load(coming.position);
    coming = null;
    return;
  }
  const given = fromAddress();
  const start = JSON.parse(element("start").textContent);
  try {
    if (given) load(parseFields(given.size, given.puzzle, given.digest));
    else if (start !== null) load(parseBoard(start));
    else ask();
  } catch (problem) {
    if (given) {
      element("puzzle").value = given.puzzle;
      element("size").value = given.size;
      element("digest").value = given.digest;
    }
    ask(problem);
  }
}

// ---------------------------------------------------------------- hands

function listen() {
  const field = element("field");
  const names = ["left", "middle", "right"];

  // on mousedown, so that the shortest press counts
  field.addEventListener("mousedown", (event) => {
    const cell = view.cellOf(event.target);
    if (cell < 0) return;
    event.preventDefault();
    field.classList.remove("keys");
    const button = event.button === 0 && event.ctrlKey ? "right" : names[event.button];
    view.goTo(cell, !field.contains(document.activeElement)); // to focus every cell costs more than to draw it
    if (button) press(cell, button);
  });
  field.addEventListener("contextmenu", (event) => event.preventDefault());
  field.addEventListener("auxclick", (event) => event.preventDefault());
  field.addEventListener("dragstart", (event) => event.preventDefault());

  let finger = null;
  const lift = () => {
    clearTimeout(finger?.timer);
    finger = null;
  };
  field.addEventListener(
    "touchstart",
    (event) => {
      lift();
      const cell = view.cellOf(event.target);
      if (cell < 0 || event.touches.length > 1) return;
      const { clientX: x, clientY: y } = event.touches[0];
      finger = { cell, x, y, done: false };
      finger.timer = setTimeout(() => {
        finger.done = true;
        navigator.vibrate?.(15);
        press(cell, "right");
      }, LONG_PRESS);
    },
    { passive: true },
  );
  field.addEventListener(
    "touchmove",
    (event) => {
      const touch = event.touches[0];
      if (finger && Math.hypot(touch.clientX - finger.x, touch.clientY - finger.y) > FINGER) lift();
    },
    { passive: true },
  );
  field.addEventListener("touchend", (event) => {
    if (!finger) return;
    event.preventDefault(); // no mouse press follows
    field.classList.remove("keys");
    const { cell, done } = finger;
    lift();
    view.goTo(cell, false);
    if (!done) press(cell, "left");
  });
  field.addEventListener("touchcancel", lift);

  field.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || view.cellOf(event.target) < 0) return;
    const { at } = view;
    const row = Math.floor(at / game.cols);
    const col = at % game.cols;
    const go = (r, c) =>
      Math.min(game.rows - 1, Math.max(0, r)) * game.cols + Math.min(game.cols - 1, Math.max(0, c));
    const moves = {
      ArrowUp: () => go(row - 1, col),
      ArrowDown: () => go(row + 1, col),
      ArrowLeft: () => go(row, col - 1),
      ArrowRight: () => go(row, col + 1),
      Home: () => go(row, 0),
      End: () => go(row, game.cols - 1),
      PageUp: () => go(row - 5, col),
      PageDown: () => go(row + 5, col),
    };
    const marks = { f: "right", x: "left", " ": "left", Enter: "left" };
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (!(key in moves) && !(key in marks)) return;
    event.preventDefault();
    field.classList.add("keys");
    if (key in moves) {
      view.goTo(moves[key]());
      view.cells[view.at].scrollIntoView({ block: "nearest", inline: "nearest" });
    } else if (!event.repeat && !game.solved) {
      view.goTo(at); // the mouse may have been elsewhere than the focus
      move(game.draw(game.press(at, marks[key])));
    }
  });
  // Tab brings the keyboard to the board; the mouse's own focus shows no ring
  field.addEventListener("keyup", (event) => {
    if (event.key === "Tab") field.classList.add("keys");
  });

  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || element("play-view").hidden) return;
    const key = event.key.toLowerCase();
    if (key !== "z" && key !== "y") return;
    event.preventDefault();
    if (key === "y" || event.shiftKey) redo();
    else undo();
  });

  element("undo").addEventListener("click", undo);
  element("redo").addEventListener("click", redo);
  element("restart").addEventListener("click", restart);
  element("smaller").addEventListener("click", () => resize(-STEP));
  element("larger").addEventListener("click", () => resize(STEP));
  element("theme").addEventListener("click", () => paintTheme(theme() === "dark" ? "light" : "dark", true));

  element("open").addEventListener("click", () => {
    ask();
    element("puzzle").focus();
  });
  element("back").addEventListener("click", () => show("play"));
  element("example").addEventListener("click", () => visit(parseBoard(EXAMPLE)));
  element("form").addEventListener("input", () => judgeForm());
  element("form").addEventListener("submit", (event) => {
    event.preventDefault();
    try {
      visit(fromForm());
    } catch (problem) {
      judgeForm(problem);
    }
  });

  addEventListener("hashchange", arrive);
  addEventListener("resize", measure);
  setInterval(() => since !== null && say("clock", elapsed()), 200);
}

function resize(by) {
  pitch = Math.min(LARGEST, Math.max(SMALLEST, pitch + by));
  document.documentElement.style.setProperty("--pitch", `${pitch}px`);
  element("smaller").disabled = pitch === SMALLEST;
  element("larger").disabled = pitch === LARGEST;
}

function measure() {
  document.documentElement.style.setProperty("--window", `${document.documentElement.clientWidth}px`);
}

// ---------------------------------------------------------------- light and dark

function theme() {
  return document.documentElement.dataset.theme;
}

function paintTheme(name, keep) {
  document.documentElement.dataset.theme = name;
  const other = name === "dark" ? "Light" : "Dark";
  element("theme").textContent = other;
  element("theme").setAttribute("aria-label", `${other} theme`);
  if (!keep) return;
  try {
    localStorage.setItem("autosolve-theme", name);
  } catch {
    // a browser that keeps nothing for this page still shows the theme
  }
}

function kept() {
  try {
    return localStorage.getItem("autosolve-theme");
  } catch {
    return null;
  }
}

const wish = matchMedia("(prefers-color-scheme: dark)");
const follow = () => paintTheme(kept() ?? (wish.matches ? "dark" : "light"), false);
wish.addEventListener("change", follow);

follow();
measure();
listen();
arrive();
measure();

window.autosolve = Object.freeze({
  state: () => game?.text() ?? [],
  flags: () =>
    [...(game?.cells ?? [])].flatMap((state, i) =>
      state === FLAG ? [[Math.floor(i / game.cols), i % game.cols]] : [],
    ),
  get solved() {
    return game?.solved ?? false;
  },
  get clicks() {
    return clicks.map((click) => [...click]);
  },
  sha256,
  parse: (text) => parseBoard(text),
});
