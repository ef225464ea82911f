// Owns the game: what each cell shows, what every sentence of the board says about it, and when it is solved.
//
// A sentence is "exactly N mines among these cells". Its number in the arrays below: a clue's is its cell, then
// follow the row totals, the column totals and the total of the board. All of it is free of the page.

const COVERED = 0;
const FLAG = 1;
const SAFE = 2;
const CLUE = 3;
const MINE = 4;
const EMPTY = 5; // known to be no mine, number unknown

const OPEN = 0; // can still come true
const EXACT = 1; // as many flags as its number
const WRONG = 2; // too many flags, or too few cells left for them

class Game {
  constructor(position) {
    const { rows, cols, chars, totals } = position;
    this.position = position;
    this.rows = rows;
    this.cols = cols;
    this.size = rows * cols;
    this.cells = new Uint8Array(this.size);
    this.clues = new Int8Array(this.size).fill(-1);
    const sentences = this.size + rows + cols + 1;
    this.number = new Int32Array(sentences).fill(-1); // -1: no such sentence
    this.flags = new Int32Array(sentences); // flags and shown mines among its cells
    this.open = new Int32Array(sentences); // covered cells without a mark among its cells
    this.past = [];
    this.future = [];
    this.wrong = 0;
    this.exact = 0;
    this.flagged = 0;
    this.alone = 0; // covered cells without a mark that no sentence speaks of
    this.solved = false;
    this.other = false; // every sentence holds, but the hash is another solution's

    const kind = { ".": COVERED, "?": COVERED, F: FLAG, x: SAFE, "*": MINE, "!": MINE, X: EMPTY };
    for (let i = 0; i < this.size; i++) {
      this.cells[i] = kind[chars[i]] ?? CLUE;
      if (this.cells[i] === CLUE) this.clues[i] = this.number[i] = Number(chars[i]);
    }
    totals.rows.forEach((n, r) => (this.number[this.size + r] = n ?? -1));
    totals.columns.forEach((n, c) => (this.number[this.size + rows + c] = n ?? -1));
    this.number[sentences - 1] = totals.mines ?? -1;
    for (let i = 0; i < this.size; i++) {
      const state = this.cells[i];
      if (state === FLAG) this.flagged++;
      const said = this.sentences(i);
      if (!said.length && state === COVERED) this.alone++;
      for (const s of said) {
        if (state === FLAG || state === MINE) this.flags[s]++;
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

  /** Every sentence that counts a cell. */
  sentences(cell) {
    const out = this.around(cell);
    out.push(this.size + Math.floor(cell / this.cols));
    out.push(this.size + this.rows + (cell % this.cols));
    out.push(this.size + this.rows + this.cols);
    return out.filter((s) => this.number[s] >= 0);
  }

  verdict(sentence) {
    const number = this.number[sentence];
    const flags = this.flags[sentence];
    if (flags === number) return EXACT;
    return flags > number || flags + this.open[sentence] < number ? WRONG : OPEN;
  }

  /** Draws marks, [[cell, state], ...], as one step that undo takes back. Returns what changed. */
  draw(marks) {
    const step = marks.filter(([cell, to]) => this.cells[cell] !== to).map(([cell, to]) => [cell, this.cells[cell], to]);
    if (!step.length) return { cells: [], sentences: [] };
    this.past.push(step);
    this.future = [];
    return this.walk(step);
  }

  undo() {
    const step = this.past.pop();
    if (!step) return { cells: [], sentences: [] };
    this.future.push(step);
    return this.walk(step.map(([cell, from, to]) => [cell, to, from]));
  }

  redo() {
    const step = this.future.pop();
    if (!step) return { cells: [], sentences: [] };
    this.past.push(step);
    return this.walk(step);
  }

  walk(step) {
    const touched = new Set();
    for (const [cell, from, to] of step) {
      const flags = (to === FLAG) - (from === FLAG);
      const open = (to === COVERED) - (from === COVERED);
      this.cells[cell] = to;
      this.flagged += flags;
      const said = this.sentences(cell);
      if (!said.length) this.alone += open;
      for (const s of said) {
        const before = this.verdict(s);
        this.flags[s] += flags;
        this.open[s] += open;
        const after = this.verdict(s);
        if (before === after) continue;
        this.wrong += (after === WRONG) - (before === WRONG);
        this.exact += (after === EXACT) - (before === EXACT);
        touched.add(s);
      }
    }
    this.judge();
    return { cells: step.map(([cell]) => cell), sentences: [...touched] };
  }

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
    for (let i = 0; i < this.size; i++) bits += this.cells[i] === FLAG || this.cells[i] === MINE ? "1" : "0";
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

  /** Every mark gone. */
  wipe() {
    const out = [];
    this.cells.forEach((state, cell) => {
      if (state === FLAG || state === SAFE) out.push([cell, COVERED]);
    });
    return out;
  }

  /** One string of board text a row. */
  text() {
    const out = [];
    for (let r = 0; r < this.rows; r++) {
      let line = "";
      for (let i = r * this.cols; i < (r + 1) * this.cols; i++) {
        line += this.cells[i] === CLUE ? this.clues[i] : ".Fx.*X"[this.cells[i]];
      }
      out.push(line);
    }
    return out;
  }
}
