// Owns what a person sees of a game: builds the board once, then repaints only what changed.

const LOOKS = ["covered", "flag", "safe", "clue", "mine", "empty"];
const SPOKEN = ["covered", "flag", "marked safe", "clue", "mine", "not a mine"];
const DRAWINGS = { [FLAG]: drawing("flag"), [MINE]: drawing("mine") };
const LARGE = 10_000; // cells from which on only the rows in the window are laid out

const element = (id) => document.getElementById(id);

class View {
  constructor(field) {
    this.field = field;
    this.game = null;
    this.cells = [];
    this.totals = [];
    this.at = 0; // the cell that Tab and the arrow keys stand on
  }

  /** Shows a game from its beginning. */
  show(game) {
    this.game = game;
    this.totals = [];
    this.at = 0;
    const board = document.createElement("div");
    board.className = game.size > LARGE ? "board large" : "board";
    board.setAttribute("role", "grid");
    board.setAttribute("aria-label", `Board of ${game.rows} rows and ${game.cols} columns`);
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
    this.field.replaceChildren(...this.lines("columns", columns, game.size + game.rows), ...this.lines("rows", rows, game.size), board);
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
    const place = `row ${Math.floor(i / game.cols) + 1}, column ${(i % game.cols) + 1}`;
    if (clue < 0) return [`cell ${LOOKS[state]}`, `${place}: ${SPOKEN[state]}`, DRAWINGS[state] ?? ""];
    const wrong = game.verdict(i) === WRONG;
    return [`cell clue n${clue}${wrong ? " wrong" : ""}`, `${place}: clue ${clue}${wrong ? ", wrong" : ""}`, String(clue)];
  }

  paint(i) {
    const cell = this.cells[i];
    const [looks, words, inside] = this.look(i);
    cell.className = looks;
    cell.setAttribute("aria-label", words);
    cell.innerHTML = inside;
  }

  /** Shows what a sentence's verdict is: a wrong clue, a wrong or fulfilled total. */
  weigh(sentence) {
    if (sentence < this.game.size) return this.paint(sentence);
    const label = this.totals[sentence - this.game.size];
    if (label && this.game.number[sentence] >= 0) label.className = ["", "exact", "wrong"][this.game.verdict(sentence)];
  }

  /** Repaints what a step changed. */
  update({ cells, sentences }) {
    cells.forEach((i) => this.paint(i));
    sentences.forEach((s) => this.weigh(s));
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
}

function drawing(name) {
  return `<svg aria-hidden="true"><use href="#${name}-drawing"/></svg>`;
}
