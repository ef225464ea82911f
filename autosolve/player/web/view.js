// Owns what a person sees of a game: builds the board once, then repaints only what changed.

const LOOKS = ["covered", "flag", "safe", "clue", "mine", "empty"];
const SPOKEN = ["covered", "flag", "marked safe", "clue", "mine", "not a mine"];

const element = (id) => document.getElementById(id);

class View {
  constructor(field) {
    this.field = field;
    this.game = null;
    this.cells = [];
    this.totals = [];
    this.at = 0; // the cell that Tab and the arrow keys stand on
    this.drawings = Object.fromEntries(["flag", "mine"].map((name) => [name, drawing(name)]));
  }

  /** Shows a game from its beginning. */
  show(game) {
    this.game = game;
    this.cells = new Array(game.size);
    this.totals = [];
    this.at = 0;
    const board = document.createElement("div");
    board.className = "board";
    board.setAttribute("role", "grid");
    board.setAttribute("aria-label", `Board of ${game.rows} rows and ${game.cols} columns`);
    for (let r = 0; r < game.rows; r++) {
      const row = document.createElement("div");
      row.className = "row";
      row.setAttribute("role", "row");
      for (let c = 0; c < game.cols; c++) {
        const cell = document.createElement("div");
        const i = r * game.cols + c;
        cell.index = i;
        cell.tabIndex = -1;
        cell.setAttribute("role", "gridcell");
        this.cells[i] = cell;
        this.paint(i);
        row.append(cell);
      }
      board.append(row);
    }
    this.cells[0].tabIndex = 0;
    this.board = board;
    const { rows, columns } = game.position.totals;
    this.field.replaceChildren(...this.lines("columns", columns, game.size + game.rows), ...this.lines("rows", rows, game.size), board);
  }

  lines(name, values, first) {
    if (!values.length) return [];
    const box = document.createElement("div");
    box.className = `totals ${name}`;
    values.forEach((value, i) => {
      const label = document.createElement("span");
      label.textContent = value ?? "";
      this.totals[first + i - this.game.size] = label;
      box.append(label);
      this.weigh(first + i);
    });
    return [box];
  }

  /** Draws one cell as the game has it. */
  paint(i) {
    const { game } = this;
    const cell = this.cells[i];
    const state = game.cells[i];
    const clue = game.clues[i];
    const wrong = clue >= 0 && game.verdict(i) === WRONG;
    cell.className = `cell ${LOOKS[state]}${clue >= 0 ? ` n${clue}` : ""}${wrong ? " wrong" : ""}`;
    const inside = clue >= 0 ? String(clue) : this.drawings[LOOKS[state]]?.cloneNode(true);
    cell.replaceChildren(...(inside === undefined ? [] : [inside]));
    const words = clue >= 0 ? `clue ${clue}${wrong ? ", wrong" : ""}` : SPOKEN[state];
    cell.setAttribute("aria-label", `row ${Math.floor(i / game.cols) + 1}, column ${(i % game.cols) + 1}: ${words}`);
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
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(space, "use");
  use.setAttribute("href", `#${name}-drawing`);
  svg.append(use);
  return svg;
}
