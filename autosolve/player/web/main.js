// Owns the page: reads the address and the forms, brings game, view, hands and advice together, keeps clock and messages.

const EXAMPLE = "@@EXAMPLE@@";
const CLASSIC = { "9x9": 10, "16x16": 40, "16x30": 99 };
const KINDS = {
  puzzle: {
    title: "Minesweeper puzzle",
    flags: "Flags",
    tap: "Tap flags",
    sizes: ["10x10", "8x8", "12x12", "15x15", "20x20", "30x30"],
  },
  reveal: { title: "Minesweeper to open", flags: "Flags", tap: "Tap flags", sizes: ["9x9", "16x16", "16x30", "24x30"] },
  lines: {
    title: "Rows and columns",
    flags: "Flags",
    tap: "Tap flags",
    sizes: ["8x8", "5x5", "6x6", "10x10", "12x12"],
  },
  mosaic: { title: "Mosaic", flags: "Filled", tap: "Tap empties", sizes: ["10x10", "8x8", "15x15", "20x20"] },
};
const FINGERTIP = 28; // CSS pixels a cell has at least where fingers play: smaller numbers would be too faint as well
const CHALLENGES = {
  classic: "Classic: it may need a guess",
  easy: "Easy",
  medium: "Medium",
  hard: "Hard",
  expert: "Expert",
};

const view = new View(element("field"));
const hands = new Hands(view, { press, game: () => game });
const advice = new Advice(view, makeMove, () => play.log("hint"));
const clicks = []; // every press on a cell: [row, column, button]
let game = null;
let play = null; // what is remembered of this game
let known = null; // { mines, safe } where the solution is known, to check marks and count slips by
let judged = null; // what was said of the finished game
let spent = 0; // milliseconds on the clock when it last stood still
let since = null; // when it began to run, null while it stands
let coming = null; // { address, ...what to load } on its way into the address
let making = 0; // number of the order for a new puzzle
let made = false; // whether the puzzle on the table was ordered here

// ---------------------------------------------------------------- moves

function move(change, spoken = false) {
  if (!change.cells.length) return;
  view.update(change);
  advice.changed();
  if (since === null && !game.over) since = performance.now();
  if (since !== null && game.over) {
    spent += performance.now() - since;
    since = null;
  }
  if (!game.over) judged = null;
  tell();
  if (spoken) speak(change);
}

function press(cell, button, byKey) {
  if (!byKey) clicks.push([Math.floor(cell / game.cols), cell % game.cols, button]);
  if (game.over) return;
  draw(game.press(cell, button), [cell], button, byKey);
}

/** Draws what a press or a piece of advice makes of the board, and remembers it as moves. */
function draw(marks, cells, button, spoken) {
  const moves = game.moves(marks, cells, button);
  const change = game.draw(marks);
  if (!change.cells.length) return;
  moves.forEach(([what, at]) => play.log(what, at));
  const slipped = known ? wrongMarks(game, { mines: [], safe: known.safe }).length : game.wrong;
  if (game.lost || (game.kind !== "reveal" && slipped)) play.slips += 1;
  move(change, spoken);
  if (game.over && !play.ended) finish();
}

function makeMove(cells, mine) {
  if (game.over) return;
  draw(game.said(cells, mine), cells, mine ? "right" : "left", true);
}

async function finish() {
  const of = play;
  const words = await of.end(seconds());
  if (of !== play || !game.over) return;
  judged = words;
  tell();
}

function undo() {
  play.slips += game.lost; // a mine cannot be unseen
  move(game.undo(), true);
}

function redo() {
  move(game.redo(), true);
}

function restart() {
  move(game.draw(game.wipe()));
  play.again();
  spent = 0;
  since = null;
  judged = null;
  tell();
}

// ---------------------------------------------------------------- what is said

function seconds() {
  return Math.floor((spent + (since === null ? 0 : performance.now() - since)) / 1000);
}

function elapsed() {
  const two = (n) => String(n).padStart(2, "0");
  const minutes = Math.floor(seconds() / 60);
  const rest = two(seconds() % 60);
  return minutes < 60 ? `${two(minutes)}:${rest}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${rest}`;
}

function verdict() {
  if (game.lost) return ["bad", "A mine. Take it back, or begin again."];
  if (game.solved) return ["good", `Solved in ${elapsed()}.`];
  if (game.wrong) return ["bad", `${many(game.wrong, "number is", "numbers are")} wrong.`];
  if (game.other) return ["bad", "All numbers are right, but the hash is another solution's."];
  if (game.kind !== "reveal" && game.total && game.exact === game.total && game.alone) {
    return ["", `All numbers are right. They say nothing of ${many(game.alone, "cell")}.`];
  }
  return ["", ""];
}

function tell() {
  const total = game.wanted;
  say("flag-count", total === null ? String(game.flagged) : `${game.flagged} / ${total}`);
  element("flag-count").className = game.verdict(game.number.length - 1) === WRONG && total !== null ? "bad" : "";
  say("clock", elapsed());
  const [mood, words] = verdict();
  element("message").className = `message ${mood}`;
  say("message", words);
  element("undo").disabled = !game.history.past.length;
  element("redo").disabled = !game.history.future.length;
  element("restart").disabled = game.untouched && !spent && since === null;
  element("clean").hidden = !(game.solved && judged?.clean);
  element("judged").hidden = !(judged?.text || (made && game.over));
  element("another").hidden = !(made && game.over);
  say("judged-text", judged?.text ?? "");
  for (const id of ["hint", "check", "explain"]) element(id).disabled = game.over && id !== "explain";
}

/** Says a move made with keys to those who do not see it. */
function speak({ cells }) {
  const { at } = view;
  const words = view.cells[cells.includes(at) ? at : cells[0]].getAttribute("aria-label");
  const more = cells.length > 1 ? ` and ${many(cells.length - 1, "more cell")}` : "";
  say("spoken", `${words}${more}. ${KINDS[game.kind].flags} ${element("flag-count").textContent}.`);
}

// ---------------------------------------------------------------- two views: a puzzle, or choosing one

function show(name) {
  element("open-view").hidden = name !== "open";
  element("play-view").hidden = name !== "play";
  element("open").hidden = name === "open";
  element("share").hidden = name === "open";
  element("back").hidden = game === null;
}

/** Shows a board. ``more``: { plan, solution, depth, words, made } as far as they are known. */
function load(position, more = {}) {
  game = gameOf(position);
  spent = 0;
  since = null;
  judged = null;
  clicks.length = 0;
  const bits = more.solution?.join("");
  known = more.plan?.status === "unique" ? more.plan : bits ? sidesOf([...bits].map(Number)) : null;
  made = Boolean(more.made);
  play = new Play(game, { solution: more.solution ?? null, depth: more.depth ?? null });
  // a finger's screen is narrow; elsewhere the pitch stays what it is at any width
  if (matchMedia("(pointer: coarse)").matches) {
    const room = document.documentElement.clientWidth - 24 - (position.totals.rows.length ? 40 : 0);
    view.resize(Math.min(32, Math.max(FINGERTIP, Math.floor(room / game.cols))));
  }
  show("play");
  view.show(game);
  const { title } = KINDS[game.kind];
  document.body.dataset.kind = game.kind;
  element("heading").textContent = `${title}, ${game.rows} by ${game.cols}`;
  say("kind-name", title);
  say("flag-name", KINDS[game.kind].flags);
  say("tap-words", KINDS[game.kind].tap);
  const clues = game.clues.reduce((n, clue) => n + (clue >= 0), 0);
  const size = `${game.rows} × ${game.cols}`;
  const facts = [more.words, game.kind === "reveal" ? `${game.count} mines.` : clues ? `${clues} clues.` : ""];
  element("facts").textContent = `${size} cells. ${facts.filter(Boolean).join(" ")}`.trim();
  flagging(false);
  advice.begin(game, more.plan ?? null);
  tell();
}

function sidesOf(mines) {
  const cells = mines.map((mine, cell) => [mine, [Math.floor(cell / game.cols), cell % game.cols]]);
  const those = (wanted) => cells.filter(([mine]) => mine === wanted).map(([, at]) => at);
  return { mines: those(1), safe: those(0) };
}

function choose(problem = null) {
  show("open");
  judgeForm(problem);
  element("forget").hidden = !store.get("attempts", []).length;
  recordWords().then((words) => say("record-text", words));
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
      const { rows, cols, chars, sha256: digest, hidden } = fromForm();
      const clues = many(chars.replace(/[^0-9]/g, "").length, "clue");
      words = `A board of ${rows} × ${cols} cells with ${hidden ? "cells to open" : clues}${digest ? " and a hash" : ""}.`;
    } catch (caught) {
      problem = caught;
    }
  }
  place.className = `verdict ${problem ? "bad" : "good"}`;
  place.textContent = problem ? complain(problem) : words;
}

function fromForm() {
  const puzzle = element("puzzle").value;
  const link = /^\s*[a-z]+:\/\/\S*?[#?](\S+)\s*$/i.exec(puzzle);
  if (link) return parseAddress(link[1]);
  return parseFields(element("size").value, puzzle, element("digest").value);
}

// ---------------------------------------------------------------- links

/** Puts a puzzle into the address, so that Back, reload and a copied link find it again. */
function visit(position, more = {}) {
  const address = addressOf(position);
  if (location.hash === address) load(position, more);
  else {
    coming = { address, position, more }; // with what an address does not carry
    location.hash = address;
  }
}

function addressOf(position) {
  if (position.hidden) {
    const { rows, cols, hidden } = position;
    return typeof hidden.mines === "string"
      ? `#game=${writeHidden(position)}`
      : `#deal=${rows}x${cols}:${hidden.mines}`;
  }
  return `#${encodeURIComponent(writePosition(position)).replaceAll("%3A", ":")}`;
}

/** A position in what stands behind # or ? of an address. */
function parseAddress(given) {
  const query = new URLSearchParams(given);
  const first = (...names) => names.map((name) => query.get(name)).find((value) => value) ?? "";
  if (first("game")) return parseHidden(first("game"));
  if (first("deal")) {
    const [size, mines] = first("deal").split(":");
    const { rows, cols } = shapeOf(size);
    return hiddenPosition(rows, cols, mineTotal(mines ?? "", rows * cols - 1));
  }
  const { size, puzzle, digest } = fieldsOf(given);
  return parseFields(size, puzzle, digest);
}

/** The fields of the form that an address fills. */
function fieldsOf(given) {
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
    load(coming.position, coming.more);
    coming = null;
    return;
  }
  const given = location.hash.length > 1 ? location.hash.slice(1) : location.search.slice(1);
  const start = JSON.parse(element("start").textContent);
  try {
    if (given) load(parseAddress(given), ownPlan(parseAddress(given)));
    else if (start !== null) load(parseBoard(start), ownPlan(parseBoard(start)));
    else choose();
  } catch (problem) {
    if (!(problem instanceof NotationProblem)) throw problem;
    if (given) {
      const fields = fieldsOf(given);
      element("puzzle").value = fields.puzzle;
      element("size").value = fields.size;
      element("digest").value = fields.digest;
    }
    choose(problem);
  }
}

/** The plan this page carries, if a position is the one it was made for. */
function ownPlan(position) {
  const plan = JSON.parse(element("plan").textContent);
  const start = JSON.parse(element("start").textContent);
  if (!plan || start === null) return {};
  const bare = (one) => JSON.stringify({ ...one, chars: one.chars.replace(/[Fx?]/g, "."), sha256: null });
  return bare(parseBoard(start)) === bare(position) ? { plan } : {};
}

// ---------------------------------------------------------------- new puzzles

function chosenKind() {
  return document.querySelector('[name="kind"]:checked').value;
}

/** Offers the sizes and difficulties of a kind. Without a server only boards that need no thinking can be made. */
function offer() {
  const kind = chosenKind();
  const { sizes } = KINDS[kind];
  const names = !config.server
    ? ["classic"]
    : kind === "reveal"
      ? ["easy", "medium", "hard", "classic"]
      : ["easy", "medium", "hard", "expert"];
  const option = (value, words, chosen) => new Option(words, value, chosen, chosen);
  element("new-size").replaceChildren(
    ...sizes.map((size) => option(size, size.replace("x", " × "), size === sizes[0])),
  );
  element("new-difficulty").replaceChildren(...names.map((name, i) => option(name, CHALLENGES[name], i === 0)));
}

/** Cells to open over that many mines, which lie once the first cell is opened. */
function deal(rows, cols, mines) {
  const position = hiddenPosition(rows, cols, mines);
  load(position, { words: "Classic.", made: true });
  if (location.hash !== addressOf(position)) history.replaceState(null, "", addressOf(position));
}

/** The next one of the same kind, once this one is over. Without a server, only boards to open can be made. */
function next() {
  if (!game.over) return;
  if (game.kind === "reveal" && !(made && config.server)) deal(game.rows, game.cols, game.wanted);
  else if (made) {
    choose();
    make();
  }
}

async function make() {
  const kind = chosenKind();
  const [rows, cols] = element("new-size").value.split("x").map(Number);
  const difficulty = element("new-difficulty").value;
  if (difficulty === "classic") {
    deal(rows, cols, CLASSIC[`${rows}x${cols}`] ?? Math.round((rows * cols) / 5));
    return;
  }
  making += 1;
  const order = making;
  busy(true, "Making a puzzle …");
  try {
    const answer = await ask("new", { kind, rows, cols, difficulty });
    if (order !== making) return;
    busy(false, "");
    visit(...fromServer(answer));
  } catch (problem) {
    if (order === making) busy(false, problem.message);
  }
}

function busy(state, words) {
  element("make").disabled = state;
  element("stop-making").hidden = !state;
  element("new-form").setAttribute("aria-busy", String(state));
  say("new-verdict", words);
}

function fromServer({ kind, board, solution, start, hash, difficulty, grade, text }) {
  const words = [`${difficulty[0].toUpperCase()}${difficulty.slice(1)}.`, text].filter(Boolean).join(" ");
  const more = { solution, depth: grade?.depth ?? null, words, made: true };
  if (kind === "reveal") {
    const cols = solution[0].length;
    return [hiddenPosition(solution.length, cols, solution.join(""), start && start[0] * cols + start[1]), more];
  }
  return [{ ...parseBoard(board), sha256: hash }, more];
}

// ---------------------------------------------------------------- sharing

function openShare() {
  const position = game.position;
  const dealt = position.hidden && game.truth === null;
  element("share-link").value = new URL(addressOf(position), location.href).href;
  element("share-text").value = position.hidden
    ? dealt
      ? ""
      : writeHidden(position)
    : writePosition({ ...position, chars: game.facts().chars });
  element("share-text-part").hidden = Boolean(position.hidden);
  say("share-said", "");
  element("share-dialog").showModal();
}

async function copy(id) {
  const field = element(id);
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    say("share-said", "Copied.");
  } catch {
    say("share-said", "It is selected: press Ctrl+C to copy it.");
  }
}

// ---------------------------------------------------------------- the page's own controls

function flagging(on) {
  hands.flagging = on;
  element("tap").setAttribute("aria-pressed", String(on));
}

function listen() {
  hands.listen();
  advice.listen();
  settings.listen();

  document.addEventListener("keydown", (event) => {
    if (element("play-view").hidden || document.querySelector("dialog[open]") || event.altKey) return;
    const key = event.key.toLowerCase();
    const within = event.target.closest?.("input, textarea, select");
    if ((event.ctrlKey || event.metaKey) && (key === "z" || key === "y")) {
      event.preventDefault();
      if (key === "y" || event.shiftKey) redo();
      else undo();
    } else if (!within && !event.ctrlKey && !event.metaKey) {
      if (key === "escape" && !element("advice").hidden) advice.close();
      if (key === "n" && !event.repeat) next();
      if (key === "h" && !element("hint").disabled && !event.repeat) advice.hint();
    }
  });

  const on = (id, act) => element(id).addEventListener("click", act);
  on("undo", undo);
  on("redo", redo);
  on("restart", restart);
  on("smaller", () => view.resize(view.pitch - STEP));
  on("larger", () => view.resize(view.pitch + STEP));
  on("tap", () => flagging(!hands.flagging));
  // where cells are opened the page knows the mines once they lie
  on("check", () => advice.check(game.truth ? sidesOf(Array.from(game.truth, (clue) => Number(clue < 0))) : known));
  on("another", next);
  on("open", () => {
    choose();
    (element("new-form").hidden ? element("puzzle") : document.querySelector('[name="kind"]:checked')).focus();
  });
  on("back", () => show("play"));
  on("example", () => visit(parseBoard(EXAMPLE)));
  on("share", openShare);
  on("copy-link", () => copy("share-link"));
  on("copy-text", () => copy("share-text"));
  on("settings", () => element("settings-dialog").showModal());
  on("forget", () => {
    store.set("attempts", []);
    store.set("seen", {});
    element("forget").hidden = true;
    say("record-text", "Forgotten.");
  });
  on("stop-making", () => {
    making += 1;
    busy(false, "");
  });
  for (const dialog of document.querySelectorAll("dialog")) {
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  }

  element("form").addEventListener("input", () => judgeForm());
  element("form").addEventListener("submit", (event) => {
    event.preventDefault();
    try {
      visit(fromForm());
    } catch (problem) {
      judgeForm(problem);
    }
  });
  element("new-form").addEventListener("submit", (event) => {
    event.preventDefault();
    make();
  });
  element("kinds").addEventListener("change", offer);

  addEventListener("hashchange", arrive);
  addEventListener("resize", () => view.settle());
  setInterval(() => since !== null && say("clock", elapsed()), 200);
}

for (const field of document.querySelectorAll('[name="kind"]')) {
  field.disabled = !config.server && field.value !== "reveal";
  field.checked = field.value === (config.server ? "puzzle" : "reveal");
  field.parentElement.hidden = field.disabled;
}
offer();
listen();
arrive();

window.autosolve = Object.freeze({
  state: () => game?.text() ?? [],
  flags: () => (game ? pairsOf(game, game.marked(FLAG)) : []),
  get solved() {
    return game?.solved ?? false;
  },
  get lost() {
    return game?.lost ?? false;
  },
  get kind() {
    return game?.kind ?? null;
  },
  get clicks() {
    return clicks.map((click) => [...click]);
  },
  sha256,
  parse: (text) => parseBoard(text),
});
