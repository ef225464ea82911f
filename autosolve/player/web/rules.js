// Owns the rules of each kind of board: what a press makes of a cell, what every sentence of the board says, and when it
// is solved or lost. All of it is free of the page.
//
// A sentence is "exactly N mines among these cells". Its number in the arrays below: a clue's is its cell, then follow
// the row totals, the column totals and the total of the board.

const COVERED = 0;
const FLAG = 1;
const SAFE = 2;
const CLUE = 3;
const MINE = 4;
const EMPTY = 5; // known to be no mine, number unknown
const EXPLODED = 6;
const MISTAKEN = 7; // a flag on a safe cell, shown when a game is lost

const OPEN = 0; // can still come true
const EXACT = 1; // as many flags as its number
const WRONG = 2; // too many flags, or too few cells left for them

const NOTHING = Object.freeze({ cells: [], sentences: [] });
const mined = (state) => state === FLAG || state === MINE || state === EXPLODED;

/** A board that shows all its clues; its mines are to be marked. */
class Game {
  constructor(position) {
    const { rows, cols, totals } = position;
    this.position = position;
    this.rows = rows;
    this.cols = cols;
    this.size = rows * cols;
    this.cells = new Uint8Array(this.size);
    this.clues = new Int8Array(this.size).fill(-1); // what a cell shows, -1 for no number
    const sentences = this.size + rows + cols + 1;
    this.number = new Int32Array(sentences).fill(-1); // -1: no such sentence, or not yet
    this.flags = new Int32Array(sentences); // flags and shown mines among its cells
    this.open = new Int32Array(sentences); // covered cells without a mark among its cells
    this.history = new History();
    this.wrong = 0;
    this.exact = 0;
    this.flagged = 0;
    this.alone = 0; // covered cells without a mark that no sentence speaks of
    this.solved = false;
    this.lost = false;
    this.other = false; // every sentence holds, but the hash is another solution's

    this.read(position.chars);
    totals.rows.forEach((n, r) => (this.number[this.size + r] = n ?? -1));
    totals.columns.forEach((n, c) => (this.number[this.size + rows + c] = n ?? -1));
    this.number[sentences - 1] = totals.mines ?? -1;
    for (let i = 0; i < this.size; i++) {
      const state = this.cells[i];
      if (state === FLAG) this.flagged++;
      const said = this.sentences(i);
      if (!said.length && state === COVERED) this.alone++;
      for (const s of said) {
        if (mined(state)) this.flags[s]++;
        if (state === COVERED) this.open[s]++;
      }
    }
    this.total = 0;
    for (let s = 0; s < sentences; s++) {
      if (this.number[s] < 0) continue;
      this.total++;
      if (this.verdict(s) === WRONG) this.wrong++;
      if (this.verdict(s) === EXACT) this.exact++;
    }
    this.judge();
  }

  /** Sets cells and clues from the board's characters. */
  read(chars) {
    const kind = { ".": COVERED, "?": COVERED, F: FLAG, x: SAFE, "*": MINE, "!": MINE, X: EMPTY };
    for (let i = 0; i < this.size; i++) {
      this.cells[i] = kind[chars[i]] ?? CLUE;
      if (this.cells[i] === CLUE) this.clues[i] = this.number[i] = Number(chars[i]);
    }
  }

  get kind() {
    const { rows, columns } = this.position.totals;
    return rows.length || columns.length ? "lines" : "puzzle";
  }

  get over() {
    return this.solved || this.lost;
  }

  /** Whether there is nothing to take away for a fresh beginning. */
  get untouched() {
    return !this.flagged && !this.cells.includes(SAFE);
  }

  /** How many flags there are to be in the end, null where nothing says so. */
  get wanted() {
    const total = this.position.totals.mines;
    return total === null ? null : total - this.cells.reduce((n, state) => n + (state === MINE), 0);
  }

  /** The up to eight cells around one. */
  around(cell) {
    const row = Math.floor(cell / this.cols);
    const col = cell % this.cols;
    const out = [];
    for (let r = Math.max(0, row - 1); r <= Math.min(this.rows - 1, row + 1); r++) {
      for (let c = Math.max(0, col - 1); c <= Math.min(this.cols - 1, col + 1); c++) {
        if (r !== row || c !== col) out.push(r * this.cols + c);
      }
    }
    return out;
  }

  /** The cells whose clue counts a cell, which are the ones that its own clue counts. */
  counted(cell) {
    return this.around(cell);
  }

  /** Whether a sentence says something, now or later. */
  speaks(sentence) {
    return this.number[sentence] >= 0;
  }

  /** Every sentence that counts a cell. */
  sentences(cell) {
    const out = this.counted(cell);
    out.push(this.size + Math.floor(cell / this.cols));
    out.push(this.size + this.rows + (cell % this.cols));
    out.push(this.size + this.rows + this.cols);
    return out.filter((s) => this.speaks(s));
  }

  verdict(sentence) {
    const number = this.number[sentence];
    if (number < 0) return OPEN;
    const flags = this.flags[sentence];
    if (flags === number) return EXACT;
    return flags > number || flags + this.open[sentence] < number ? WRONG : OPEN;
  }

  /** Whether a sentence holds and has nothing left to say. */
  done(sentence) {
    return this.verdict(sentence) === EXACT && !this.open[sentence];
  }

  /** Draws marks, [[cell, state], ...], as one step that undo takes back. Returns what changed. */
  draw(marks) {
    const step = marks
      .filter(([cell, to]) => this.cells[cell] !== to)
      .map(([cell, to]) => [cell, this.cells[cell], to]);
    if (!step.length) return NOTHING;
    this.history.push(step);
    return this.walk(step);
  }

  undo() {
    const step = this.history.back();
    return step ? this.walk(step) : NOTHING;
  }

  redo() {
    const step = this.history.forth();
    return step ? this.walk(step) : NOTHING;
  }

  walk(step) {
    const touched = new Set();
    for (const [cell, from, to] of step) {
      const flags = mined(to) - mined(from);
      const open = (to === COVERED) - (from === COVERED);
      this.cells[cell] = to;
      this.flagged += (to === FLAG) - (from === FLAG);
      const said = this.sentences(cell);
      if (!said.length) this.alone += open;
      for (const s of said) {
        const before = this.verdict(s);
        const done = this.done(s);
        this.flags[s] += flags;
        this.open[s] += open;
        this.weigh(s, before, done, touched);
      }
      this.shown(cell, from, to, touched);
    }
    this.judge();
    return { cells: [...new Set(step.map(([cell]) => cell))], sentences: [...touched] };
  }

  /** Counts a sentence anew whose verdict was ``before``. */
  weigh(s, before, done, touched) {
    const after = this.verdict(s);
    this.wrong += (after === WRONG) - (before === WRONG);
    this.exact += (after === EXACT) - (before === EXACT);
    if (before !== after || done !== this.done(s)) touched.add(s);
  }

  /** A cell went from one state to another: its own clue shows, or no longer. */
  shown() {}

  /**
   * With a hash the flags must be the solution it was made of. Without one every sentence must hold, and a cell no
   * sentence speaks of must be marked by hand: nothing else decides it.
   */
  judge() {
    const holds = this.exact === this.total;
    if (this.position.sha256) {
      this.solved = holds && this.digest() === this.position.sha256;
      this.other = holds && !this.solved && this.alone === 0;
    } else {
      this.solved = holds && this.total > 0 && this.alone === 0;
    }
  }

  /** The hash of the flags and shown mines, row-major, 1 for a mine. */
  digest() {
    let bits = "";
    for (let i = 0; i < this.size; i++) bits += mined(this.cells[i]) ? "1" : "0";
    return sha256(bits);
  }

  /** The marks a press of "left", "right" or "middle" draws, as a table of what it becomes. */
  press(cell, button) {
    const state = this.cells[cell];
    if (state === CLUE) return button === "right" ? [] : this.clear(cell);
    const becomes = {
      left: { [COVERED]: SAFE, [SAFE]: COVERED },
      right: { [COVERED]: FLAG, [FLAG]: COVERED, [SAFE]: FLAG },
      middle: {},
    }[button];
    return state in becomes ? [[cell, becomes[state]]] : [];
  }

  /** The rest around a clue that has as many flags as its number is safe. */
  clear(cell) {
    if (this.verdict(cell) !== EXACT) return [];
    return this.around(cell)
      .filter((c) => this.cells[c] === COVERED)
      .map((c) => [c, SAFE]);
  }

  /** What asking for ``cells`` counts as that drew ``marks``, when play is judged: [["mine" | "open" | "mark", cell], ...] */
  moves(marks) {
    return marks.map(([cell, to]) => [to === FLAG ? "mine" : "mark", cell]);
  }

  /** The marks that say what a step of reasoning says. */
  said(cells, mine) {
    const to = mine ? FLAG : SAFE;
    return cells.filter((cell) => [COVERED, FLAG, SAFE].includes(this.cells[cell])).map((cell) => [cell, to]);
  }

  /** Whether the board shows already that a cell is what a step of reasoning says. */
  says(cell, mine) {
    return mine ? mined(this.cells[cell]) : [SAFE, CLUE, EMPTY].includes(this.cells[cell]);
  }

  /** Every mark gone. */
  wipe() {
    const out = [];
    this.cells.forEach((state, cell) => {
      if (state === FLAG || state === SAFE) out.push([cell, COVERED]);
    });
    return out;
  }

  marked(state) {
    const out = [];
    this.cells.forEach((now, cell) => now === state && out.push(cell));
    return out;
  }

  /** One string of board text a row. */
  text() {
    const out = [];
    for (let r = 0; r < this.rows; r++) {
      let line = "";
      for (let i = r * this.cols; i < (r + 1) * this.cols; i++) line += this.char(i);
      out.push(line);
    }
    return out;
  }

  char(i) {
    return this.cells[i] === CLUE ? String(this.clues[i]) : ".Fx.*X!X"[this.cells[i]];
  }

  /** The facts of the board as they are seen now: a position without marks. */
  facts() {
    return { ...this.position, chars: this.text().join("").replace(/[Fx]/g, ".") };
  }
}

/** Every cell may be filled, those with a clue too; a clue counts its own cell. */
class Mosaic extends Game {
  read(chars) {
    for (let i = 0; i < this.size; i++) {
      this.cells[i] = { F: FLAG, x: SAFE, "*": MINE, "!": MINE, X: EMPTY }[chars[i]] ?? COVERED;
      if (/\d/.test(chars[i])) this.clues[i] = this.number[i] = Number(chars[i]);
    }
  }

  get kind() {
    return "mosaic";
  }

  counted(cell) {
    return [cell, ...this.around(cell)];
  }

  press(cell, button) {
    const becomes = {
      left: { [COVERED]: FLAG, [FLAG]: COVERED, [SAFE]: FLAG },
      right: { [COVERED]: SAFE, [SAFE]: COVERED, [FLAG]: SAFE },
      middle: {},
    }[button];
    const state = this.cells[cell];
    if (button === "middle" && this.clues[cell] >= 0) return this.rest(cell);
    return state in becomes ? [[cell, becomes[state]]] : [];
  }

  /** What is left around a clue whose filled cells are all there, or whose empty ones are. */
  rest(cell) {
    const left = this.counted(cell).filter((c) => this.cells[c] === COVERED);
    if (this.verdict(cell) === EXACT) return left.map((c) => [c, SAFE]);
    return this.flags[cell] + left.length === this.number[cell] ? left.map((c) => [c, FLAG]) : [];
  }

  char(i) {
    return this.cells[i] === COVERED && this.clues[i] >= 0 ? String(this.clues[i]) : super.char(i);
  }

  facts() {
    const chars = this.text().join("").replace(/[Fx]/g, ".");
    return {
      ...this.position,
      chars: [...chars].map((char, i) => (this.clues[i] < 0 ? char : this.clues[i])).join(""),
    };
  }
}

/**
 * Cells show their clue once they are opened; a mine that is opened loses the game.
 *
 * ``position.hidden`` is { mines, start }: a string of 0 and 1, or the number of mines that are laid when the first cell
 * is opened, away from it; the cell opened to begin with, or null.
 */
class Hidden extends Game {
  constructor(position) {
    super(position);
    this.opened = 0;
    if (position.hidden.start !== null) this.walk(this.steps(this.open_up([position.hidden.start])));
    this.given = this.opened;
  }

  read() {
    const { mines } = this.position.hidden;
    this.opened = this.exploded = 0;
    this.truth = null;
    this.count = typeof mines === "number" ? mines : mines.replaceAll("0", "").length;
    if (typeof mines === "string") this.lay([...mines].map(Number));
  }

  /** The mines lie: 1 for one, row-major. */
  lay(mines) {
    this.truth = Int8Array.from(mines, (mine, i) => (mine ? -1 : this.around(i).reduce((n, c) => n + mines[c], 0)));
    this.position = { ...this.position, hidden: { ...this.position.hidden, mines: mines.join("") } };
  }

  /** A mine under the first cell that is opened moves to the first cell that has none. */
  spare(first) {
    const mines = Array.from(this.truth, (clue) => (clue < 0 ? 1 : 0));
    const free = mines.findIndex((mine, cell) => !mine && cell !== first);
    if (!mines[first] || free < 0) return;
    mines[first] = 0;
    mines[free] = 1;
    this.lay(mines);
  }

  /** Lays the mines away from the first cell that is opened, and from those around it where there is room. */
  deal(first) {
    const near = new Set([first, ...this.around(first)]);
    let free = [...this.cells.keys()].filter((cell) => !near.has(cell));
    if (free.length < this.count) free = [...this.cells.keys()].filter((cell) => cell !== first);
    const mines = new Array(this.size).fill(0);
    for (let left = this.count; left; left--) {
      const [cell] = free.splice(below(free.length), 1);
      mines[cell] = 1;
    }
    this.position.hidden.start = first; // a link to this board opens where it was opened here
    this.lay(mines);
  }

  get kind() {
    return "reveal";
  }

  get untouched() {
    return !this.flagged && !this.exploded && this.opened === this.given;
  }

  get wanted() {
    return this.count;
  }

  speaks(sentence) {
    return sentence < this.size || this.number[sentence] >= 0;
  }

  shown(cell, from, to, touched) {
    this.exploded += (to === EXPLODED) - (from === EXPLODED);
    const opens = (to === CLUE) - (from === CLUE);
    if (!opens) return;
    this.opened += opens;
    const before = this.verdict(cell);
    const done = this.done(cell);
    this.clues[cell] = this.number[cell] = opens > 0 ? this.truth[cell] : -1;
    this.weigh(cell, before, done, touched);
  }

  judge() {
    this.lost = this.exploded > 0;
    this.solved = !this.lost && this.opened === this.size - this.count;
  }

  press(cell, button) {
    const state = this.cells[cell];
    if (button === "right") {
      return state === COVERED ? [[cell, FLAG]] : state === FLAG ? [[cell, COVERED]] : [];
    }
    if (state === COVERED && button === "left") return this.open_up([cell]);
    if (state === CLUE && this.verdict(cell) === EXACT) {
      return this.open_up(this.around(cell).filter((c) => this.cells[c] === COVERED));
    }
    return [];
  }

  /** What opening cells shows: around a 0 everything; at a mine, and when the last safe cell is open, the end. */
  open_up(asked) {
    if (asked.length && !this.truth) this.deal(asked[0]);
    if (asked.length && !this.opened) this.spare(asked[0]);
    const states = new Map();
    const todo = [...asked];
    while (todo.length) {
      const cell = todo.pop();
      if (states.has(cell)) continue;
      states.set(cell, this.truth[cell] < 0 ? EXPLODED : CLUE);
      if (this.truth[cell] === 0) todo.push(...this.around(cell).filter((c) => this.cells[c] === COVERED));
    }
    const exploded = [...states.values()].includes(EXPLODED);
    const all = !exploded && this.opened + states.size === this.size - this.count;
    this.cells.forEach((state, cell) => {
      const mine = this.truth[cell] < 0;
      if (states.has(cell) || !(exploded || all)) return;
      if (state === COVERED && mine) states.set(cell, exploded ? MINE : FLAG);
      if (state === FLAG && !mine) states.set(cell, MISTAKEN);
    });
    return [...states];
  }

  steps(marks) {
    return marks.map(([cell, to]) => [cell, this.cells[cell], to]);
  }

  moves(marks, cells, button) {
    if (button === "right") return marks.map(([at]) => ["mark", at]);
    const chorded = (cell) =>
      this.cells[cell] === CLUE ? this.around(cell).filter((c) => this.cells[c] === COVERED) : [cell];
    return marks.length ? cells.flatMap(chorded).map((at) => ["open", at]) : [];
  }

  said(cells, mine) {
    const covered = cells.filter((cell) => this.cells[cell] === COVERED || (!mine && this.cells[cell] === FLAG));
    return mine ? covered.map((cell) => [cell, FLAG]) : this.open_up(covered);
  }

  /** Covered again, as it began; the mines stay where they are. */
  wipe() {
    const { start } = this.position.hidden;
    const kept = new Set();
    const todo = start === null ? [] : [start];
    while (todo.length) {
      const cell = todo.pop();
      if (kept.has(cell)) continue;
      kept.add(cell);
      if (this.truth[cell] === 0) todo.push(...this.around(cell));
    }
    return [...this.cells.keys()]
      .map((cell) => [cell, kept.has(cell) ? CLUE : COVERED])
      .filter(([cell, to]) => this.cells[cell] !== to);
  }

  facts() {
    const totals = { rows: [], columns: [], mines: this.count };
    return { ...this.position, totals, chars: this.text().join("").replace(/[Fx]/g, "."), sha256: null };
  }
}

function gameOf(position) {
  return new (position.hidden ? Hidden : position.variant === "mosaic" ? Mosaic : Game)(position);
}

/** A whole number from 0 to below ``bound``, each as likely as another. */
function below(bound) {
  const most = Math.floor(2 ** 32 / bound) * bound;
  const drawn = new Uint32Array(1);
  do crypto.getRandomValues(drawn);
  while (drawn[0] >= most);
  return drawn[0] % bound;
}
