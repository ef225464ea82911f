// Owns what a person sees of a board: builds it once, then repaints only what changed, and lays advice over it.

const LOOKS = ["covered", "flag", "safe", "clue", "mine", "empty", "mine exploded", "flag mistaken"];
const SPOKEN = ["covered", "flag", "marked safe", "clue", "mine", "not a mine", "exploded mine", "wrong flag"];
const TILES = ["blank", "filled", "clear", "", "filled", "clear"]; // of a mosaic, where clues cover nothing
const FILLED = ["not decided", "filled", "empty", "", "filled", "empty"];
const DRAWINGS = { [FLAG]: "flag", [MINE]: "mine", [EXPLODED]: "mine", [MISTAKEN]: "flag" };
const LARGE = 10_000; // cells from which on only the rows in the window are laid out
const SMALLEST = 20;
const LARGEST = 64;
const STEP = 4; // CSS pixels from cell to cell
const BESIDE = 410; // CSS pixels the controls take beside a board, with what lies between

const element = (id) => document.getElementById(id);
const many = (n, one, more = `${one}s`) => `${n} ${n === 1 ? one : more}`;

class View {
  constructor(field) {
    this.field = field;
    this.game = null;
    this.cells = [];
    this.totals = [];
    this.at = 0; // the cell that Tab and the arrow keys stand on
    this.pitch = 32;
    this.laid = new Map(); // cell to what advice says of it: { classes, text, words }
    this.named = new Set(); // totals that advice names
  }

  /** Shows a game from its beginning. */
  show(game) {
    this.game = game;
    this.totals = [];
    this.laid.clear();
    this.named.clear();
    this.at = 0;
    const board = document.createElement("div");
    board.className = `board ${game.kind}${game.size > LARGE ? " large" : ""}`;
    board.setAttribute("role", "grid");
    board.setAttribute("aria-label", `Board of ${game.rows} rows and ${game.cols} columns`);
    board.setAttribute("aria-describedby", "heading");
    board.style.setProperty("--cols", game.cols);
    const cells = Array.from({ length: game.size }, (_, i) => {
      const [looks, words, inside] = this.look(i);
      return `<div class="${looks}" role="gridcell" tabindex="-1" aria-label="${words}">${inside}</div>`;
    });
    // as one text: several times faster than one element after the other
    board.innerHTML = Array.from({ length: game.rows }, (_, r) => {
      return `<div class="row" role="row">${cells.slice(r * game.cols, (r + 1) * game.cols).join("")}</div>`;
    }).join("");
    this.cells = [...board.querySelectorAll(".cell")];
    this.cells.forEach((cell, i) => (cell.index = i));
    this.cells[0].tabIndex = 0;
    this.board = board;
    const { rows, columns } = game.position.totals;
    const around = document.createElement("div");
    around.className = "around";
    around.append(
      ...this.lines("columns", columns, game.size + game.rows),
      ...this.lines("rows", rows, game.size),
      board,
    );
    this.field.replaceChildren(around);
    this.settle();
  }

  /** Puts the controls beside the board where it leaves room for them, and above it elsewhere. */
  settle() {
    const room = document.documentElement.clientWidth;
    const wide = this.field.firstElementChild?.offsetWidth ?? 0;
    element("table").classList.toggle("beside", room >= 900 && wide + BESIDE <= room);
  }

  lines(name, values, first) {
    if (!values.length) return [];
    const box = document.createElement("div");
    box.className = `totals ${name}`;
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", `Mines in the ${name}, in order`);
    values.forEach((value, i) => {
      const label = document.createElement("span");
      label.textContent = value ?? "";
      this.totals[first + i - this.game.size] = label;
      box.append(label);
      this.weigh(first + i);
    });
    return [box];
  }

  /** A cell as the game has it: its classes, what is said of it, what it holds. */
  look(i) {
    const { game } = this;
    const state = game.cells[i];
    const clue = game.clues[i];
    const advice = this.laid.get(i);
    const verdict = clue < 0 ? "" : game.verdict(i) === WRONG ? "wrong" : game.done(i) ? "done" : "";
    const number = clue < 0 ? "" : `clue ${clue}${verdict ? `, ${verdict}` : ""}`;
    let looks = `cell ${clue < 0 ? "" : `clue n${clue} ${verdict}`}`;
    let words = number;
    let inside = clue < 0 || (game.kind === "reveal" && clue === 0) ? "" : String(clue);
    if (game.kind === "mosaic") {
      looks += ` ${TILES[state]}`;
      words = [FILLED[state], number].filter(Boolean).join(", ");
    } else if (clue < 0) {
      looks += LOOKS[state];
      words = SPOKEN[state];
      inside = DRAWINGS[state] ? drawing(DRAWINGS[state]) : "";
    }
    looks = looks.replace(/ +/g, " ").trim();
    if (advice) {
      looks += ` ${advice.classes}`;
      if (advice.words) words += `, ${advice.words}`;
      if (advice.text) inside += `<span class="odds">${advice.text}</span>`;
    }
    return [looks, `row ${Math.floor(i / game.cols) + 1}, column ${(i % game.cols) + 1}: ${words}`, inside];
  }

  paint(i) {
    const cell = this.cells[i];
    const [looks, words, inside] = this.look(i);
    if (cell.className !== looks) cell.className = looks;
    if (cell.getAttribute("aria-label") !== words) cell.setAttribute("aria-label", words);
    cell.innerHTML = inside;
  }

  /** Shows what a sentence's verdict is: a wrong or finished clue, a wrong or fulfilled total. */
  weigh(sentence) {
    if (sentence < this.game.size) return this.paint(sentence);
    const label = this.totals[sentence - this.game.size];
    if (!label || this.game.number[sentence] < 0) return undefined;
    const verdict = ["", "exact", "wrong"][this.game.verdict(sentence)];
    label.className = `${verdict}${this.named.has(sentence) ? " named" : ""}`.trim();
    return undefined;
  }

  /** Repaints what a step changed. */
  update({ cells, sentences }) {
    cells.forEach((i) => this.paint(i));
    sentences.forEach((s) => this.weigh(s));
  }

  /**
   * Lays advice over the board in place of what was laid before.
   * ``laid``  cell to { classes, text, words }        ``named``  sentences beside the board
   */
  lay(laid = new Map(), named = []) {
    const touched = new Set([...this.laid.keys(), ...laid.keys()]);
    const beside = new Set([...this.named, ...named]);
    this.laid = laid;
    this.named = new Set(named);
    touched.forEach((i) => this.paint(i));
    beside.forEach((s) => s >= this.game.size && this.weigh(s));
  }

  /** Moves the place of the keyboard. */
  goTo(i, focus = true) {
    this.cells[this.at].tabIndex = -1;
    this.at = i;
    this.cells[i].tabIndex = 0;
    if (focus) this.cells[i].focus({ preventScroll: true });
  }

  /** The cell an event happened in, -1 beside all cells. */
  cellOf(target) {
    return target.closest?.(".cell")?.index ?? -1;
  }

  resize(pitch) {
    this.pitch = Math.round(Math.min(LARGEST, Math.max(SMALLEST, pitch)));
    document.documentElement.style.setProperty("--pitch", `${this.pitch}px`);
    element("smaller").disabled = this.pitch === SMALLEST;
    element("larger").disabled = this.pitch === LARGEST;
    this.settle();
  }
}

function drawing(name) {
  return `<svg aria-hidden="true"><use href="#${name}-drawing"/></svg>`;
}

function say(id, words) {
  const place = element(id);
  if (place.textContent !== words) place.textContent = words;
}
