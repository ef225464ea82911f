// Owns board text in the page: reads what autosolve's own notation reads, and what people paste into the form.
//
// A position is { rows, cols, chars, totals: { rows, columns, mines }, variant, sha256, hidden }; `chars` is row-major
// board text with "." for every covered cell, null stands for what is not known. `hidden` is null but for a board to
// open: { mines, start }, the mines as a string of 0 and 1 (or only how many), the cell opened first or null.

const MAX_SIDE = 500;
const HASH = /^[0-9a-fA-F]{64}$/;
const SIZE = /^\s*(\d+)\s*[xX×]\s*(\d+)\s*$/;
const LINE_PUZZLE = /^\s*(\d+)\s*[xX×]\s*(\d+)\s*:/;
const HEADER = /^\s*([A-Za-z][\w-]*)\s*:(.*)$/;
const HEADERS = ["mines", "rows", "columns", "variant", "hash"];
const VARIANTS = ["minesweeper", "mosaic"];
const BOARD_CHARACTERS = /^[.#Fx?*!X0-9]$/;

/** A text that is no board: what is wrong, and what to do. */
class NotationProblem extends Error {
  constructor(message, remedy = "") {
    super(message);
    this.remedy = remedy;
  }
}

/** A board in board text, as a one-line puzzle RxC:digits[:sha256] or as one JSON object. */
function parseBoard(text) {
  const lines = text.replace(/^\ufeff/, "").split(/\r\n|\n|\r/);
  const said = lines.filter((line) => line.trim());
  if (said.length && said[0].trimStart().startsWith("{")) return parseJson(said.join("\n"));
  const plain = said.filter((line) => !line.trimStart().startsWith("#"));
  if (plain.length && LINE_PUZZLE.test(plain[0])) {
    if (plain.length > 1) throw new NotationProblem("There is more than one puzzle here.", "Give one at a time.");
    const [size, digits, digest, ...rest] = plain[0].split(":").map((part) => part.trim());
    if (rest.length) throw new NotationProblem("A one-line puzzle has three parts.", "Write RxC:digits:sha256.");
    return fromDigits(size, digits, digest ?? null);
  }
  return parseText(lines);
}

/** A board from the form's fields or an address: the puzzle in any form, the size and hash where it has none. */
function parseFields(size, puzzle, digest) {
  const text = puzzle.trim();
  if (!text) throw new NotationProblem("There is no puzzle yet.", "Paste one, or play the example.");
  const wanted = size.trim() ? shapeOf(size) : null;
  const position = parseLoose(text, wanted, digest.trim());
  if (wanted && (wanted.rows !== position.rows || wanted.cols !== position.cols)) {
    throw new NotationProblem(
      `The puzzle has ${position.rows}x${position.cols} cells, the size says ${wanted.rows}x${wanted.cols}.`,
      "Mend the size or leave it empty.",
    );
  }
  if (digest.trim()) position.sha256 = hashOf(digest.trim());
  return position;
}

function parseLoose(text, wanted, digest) {
  // size, digits and hash on lines of their own, or the digits in rows
  const words = text.split(/[\s:,;]+/).filter(Boolean);
  const shape = SIZE.test(words[0]) ? shapeOf(words.shift()) : wanted;
  if (shape && words.length && words.every((word) => /^[0-9a-fA-F]+$/.test(word))) {
    const cells = shape.rows * shape.cols;
    const all = words.join("");
    if (/^\d+$/.test(all) && all.length === cells) return fromDigits(shape, all, digest || null);
    const last = words.pop();
    const digits = words.join("");
    if (HASH.test(last) && /^\d+$/.test(digits)) return fromDigits(shape, digits, last);
    if (/^\d+$/.test(all) && all.includes("9")) return fromDigits(shape, all, digest || null);
  }
  if (!shape && /^\d*9\d*$/.test(text)) {
    throw new NotationProblem("The puzzle is a line of digits without its size.", "Give rows x columns, as 10x12.");
  }
  return parseBoard(text);
}

function shapeOf(text) {
  const side = /^\s*\d+\s*$/.test(text);
  const found = side ? [text, text, text] : SIZE.exec(text);
  if (!found) throw new NotationProblem(`"${brief(text)}" is not a size.`, "Give rows x columns, as 10x12.");
  return checkedShape(Number(found[1]), Number(found[2]));
}

function checkedShape(rows, cols) {
  if (!(rows >= 1 && rows <= MAX_SIDE && cols >= 1 && cols <= MAX_SIDE)) {
    throw new NotationProblem(
      `A board of ${rows}x${cols} cells is not possible.`,
      `Rows and columns go from 1 to ${MAX_SIDE}.`,
    );
  }
  return { rows, cols };
}

function hashOf(text) {
  if (!HASH.test(text)) {
    throw new NotationProblem("This is not a SHA-256 hash.", "Give 64 hexadecimal digits, or none.");
  }
  return text.toLowerCase();
}

function brief(text) {
  return text.length > 20 ? `${text.slice(0, 20)}…` : text;
}

function fromDigits(size, digits, digest) {
  const { rows, cols } = typeof size === "string" ? shapeOf(size) : size;
  const bad = digits.search(/[^0-9]/);
  if (bad >= 0) {
    throw new NotationProblem(
      `"${digits[bad]}" is not a digit (cell ${bad + 1} of the puzzle).`,
      "Write 0-8 for clues and 9 for a covered cell.",
    );
  }
  if (digits.length !== rows * cols) {
    throw new NotationProblem(
      `There are ${digits.length} digits for the ${rows * cols} cells of a ${rows}x${cols} board.`,
      "Give one digit for each cell.",
    );
  }
  const sha = digest === null ? null : hashOf(digest);
  return positionOf(rows, cols, digits.replaceAll("9", "."), {}, sha);
}

function positionOf(rows, cols, chars, totals, sha, variant = "minesweeper") {
  return {
    rows,
    cols,
    chars: chars.replaceAll("#", "."),
    totals: { rows: totals.rows ?? [], columns: totals.columns ?? [], mines: totals.mines ?? null },
    variant,
    sha256: sha,
    hidden: null,
  };
}

/** A board whose cells are to be opened. ``mines`` is a string of 0 and 1, or only how many there are. */
function hiddenPosition(rows, cols, mines, start = null) {
  const count = typeof mines === "number" ? mines : mines.replaceAll("0", "").length;
  if (start !== null && !(Number.isInteger(start) && start >= 0 && start < rows * cols && mines[start] !== "1")) {
    throw new NotationProblem(
      "The game does not begin on a safe cell of the board.",
      "Mend its start or leave it out.",
    );
  }
  const position = positionOf(rows, cols, ".".repeat(rows * cols), { mines: count }, null);
  return { ...position, hidden: { mines, start } };
}

function variantOf(name) {
  const variant = String(name).trim().toLowerCase();
  if (!VARIANTS.includes(variant)) {
    throw new NotationProblem(`There is no variant "${brief(variant)}".`, `Write ${VARIANTS.join(" or ")}.`);
  }
  return variant;
}

function parseText(lines) {
  const headers = {};
  let rows = [];
  const bare = [];
  lines.forEach((line, number) => {
    const content = line.trim();
    if (!content) return;
    const header = HEADER.exec(line);
    if (header) {
      const key = header[1].toLowerCase();
      if (!HEADERS.includes(key)) {
        throw new NotationProblem(`There is no header "${brief(header[1])}".`, `Headers are ${HEADERS.join(", ")}.`);
      }
      if (key in headers) throw new NotationProblem(`"${key}" is said a second time.`, "Say it once.");
      if (rows.length) throw new NotationProblem(`"${key}" stands below the board.`, "Put headers above the board.");
      headers[key] = header[2].trim();
    } else if (content === "#") {
      bare.push({ number, content }); // a covered cell on a board one column wide, an empty comment on any other
    } else if (content[0] !== "#" || [...content].every((char) => BOARD_CHARACTERS.test(char))) {
      rows.push({ number, content });
    }
  });
  if (bare.length && rows.every((row) => row.content.length === 1)) {
    rows = [...rows, ...bare].sort((a, b) => a.number - b.number);
  }
  if (!rows.length) {
    throw new NotationProblem("There is no board in this text.", "Write one line of characters for each row.");
  }
  const variant = "variant" in headers ? variantOf(headers.variant) : "minesweeper";
  const grid = rows.map((row) => row.content);
  const { cols } = checkGrid(grid, variant);
  const totals = {
    rows: "rows" in headers ? lineTotals(headers.rows, "rows", grid.length, cols) : [],
    columns: "columns" in headers ? lineTotals(headers.columns, "columns", cols, grid.length) : [],
    mines: "mines" in headers ? mineTotal(headers.mines, grid.length * cols) : null,
  };
  const sha = "hash" in headers ? hashOf(headers.hash) : null;
  return positionOf(grid.length, cols, grid.join(""), totals, sha, variant);
}

function checkGrid(grid, variant) {
  const cols = grid[0].length;
  grid.forEach((row, r) => {
    [...row].forEach((char, c) => {
      if (!BOARD_CHARACTERS.test(char)) {
        throw new NotationProblem(
          `"${char}" at r${r + 1}c${c + 1} is not a character of a board.`,
          "Use . or # for covered, 0-8 for clues, F x ? for marks, * ! for mines, X for a wrong flag.",
        );
      }
      if (char === "9" && variant !== "mosaic") {
        throw new NotationProblem(
          `The clue 9 at r${r + 1}c${c + 1} is not possible.`,
          "Clues go from 0 to 8; give the size too if 9 stands for a covered cell.",
        );
      }
    });
    if (row.length !== cols) {
      throw new NotationProblem(
        `Row ${r + 1} has ${row.length} cells, the first one ${cols}.`,
        "Give every row the same number of cells.",
      );
    }
  });
  return checkedShape(grid.length, cols);
}

function lineTotals(text, name, count, most) {
  const out = text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((word) => {
      if (word === "?") return null;
      if (!/^\d+$/.test(word)) {
        throw new NotationProblem(`"${brief(word)}" is not a total.`, "Write numbers, and ? where unknown.");
      }
      if (Number(word) > most) {
        throw new NotationProblem(
          `A total of ${word} is more than the ${most} cells it counts.`,
          "Mend it or write ?.",
        );
      }
      return Number(word);
    });
  if (out.length !== count) {
    throw new NotationProblem(`There are ${out.length} totals for ${count} ${name}.`, "Give one for each.");
  }
  return out;
}

function mineTotal(text, cells) {
  if (text === "?") return null;
  if (!/^\d+$/.test(text)) throw new NotationProblem(`"${brief(text)}" is not a number of mines.`, "Write mines: 99");
  if (Number(text) > cells) {
    throw new NotationProblem(`There are ${text} mines, more than the ${cells} cells of the board.`, "Mend it.");
  }
  return Number(text);
}

function parseJson(text) {
  let data;
  try {
    data = JSON.parse(text);
  } catch {
    throw new NotationProblem("This is not one JSON object.", "Paste one puzzle at a time.");
  }
  const whole = (value, low, high) => Number.isInteger(value) && value >= low && value <= high;
  const wrong = (key, wanted) => new NotationProblem(`"${key}" must be ${wanted}.`, "Mend the object.");
  const variant = (data.variant ?? null) === null ? "minesweeper" : variantOf(data.variant);
  let grid = data.grid ?? null;
  if (typeof grid === "string") grid = grid.split(/\s+/).filter(Boolean);
  if (grid !== null && !(Array.isArray(grid) && grid.length && grid.every((row) => typeof row === "string" && row))) {
    throw wrong("grid", "a list of rows in board text");
  }
  const puzzle = data.puzzle ?? null;
  if (puzzle !== null && typeof puzzle !== "string") throw wrong("puzzle", "a string of digits");
  if (puzzle !== null && variant === "mosaic") {
    throw new NotationProblem("Mosaic cannot be written in digits.", 'Give its rows as "grid".');
  }
  if (grid === null && puzzle === null) {
    throw new NotationProblem("The object has no board.", 'Give "puzzle" or "grid".');
  }
  for (const key of ["rows", "cols"]) {
    const value = data[key] ?? null;
    if ((value !== null || grid === null) && !whole(value, 1, MAX_SIDE)) {
      throw wrong(key, `a number from 1 to ${MAX_SIDE}`);
    }
  }
  const rows = data.rows ?? grid.length;
  const cols = data.cols ?? grid[0].length;
  checkedShape(rows, cols);
  const digest = data.hash ?? null;
  if (digest !== null && typeof digest !== "string") throw wrong("hash", "a string");
  const position = grid === null ? fromDigits({ rows, cols }, puzzle, digest) : null;
  if (position === null) {
    checkGrid(grid, variant);
    if (grid.length !== rows || grid[0].length !== cols) {
      throw new NotationProblem(`"grid" is not ${rows}x${cols}.`, "Mend the object.");
    }
  }
  const given = data.totals ?? {};
  if (typeof given !== "object") throw wrong("totals", "an object with rows, columns and mines");
  const totals = { mines: given.mines ?? null };
  if (totals.mines !== null && !whole(totals.mines, 0, rows * cols)) {
    throw wrong("totals.mines", `a number from 0 to ${rows * cols}`);
  }
  for (const [key, count, most] of [
    ["rows", rows, cols],
    ["columns", cols, rows],
  ]) {
    const values = given[key] ?? [];
    const good = Array.isArray(values) && [0, count].includes(values.length);
    if (!good || values.some((value) => value !== null && !whole(value, 0, most))) {
      throw wrong(`totals.${key}`, `a list of ${count} numbers, null where unknown`);
    }
    totals[key] = values;
  }
  if (position) return { ...position, totals };
  const found = positionOf(rows, cols, grid.join(""), totals, digest === null ? null : hashOf(digest), variant);
  return "start" in data && Array.isArray(data.solution) ? parseGame(data, rows, cols, wrong) : found;
}

/** A board to open as `generate noguess --json` writes it, with its solution and where it begins. */
function parseGame(data, rows, cols, wrong) {
  const mines = data.solution.join("");
  if (!/^[01]*$/.test(mines) || mines.length !== rows * cols) {
    throw wrong("solution", "one string a row, with 1 for a mine and 0 for none");
  }
  const at = data.start ?? null;
  if (at !== null && !(Array.isArray(at) && at.length === 2 && at[1] >= 0 && at[1] < cols)) {
    throw wrong("start", "[row, column], counted from 0");
  }
  return hiddenPosition(rows, cols, mines, at === null ? null : at[0] * cols + at[1]);
}

/** A board to open as an address has it: RxC:mines in hexadecimal digits, four cells a digit[:start], counted from 0. */
function parseHidden(text) {
  const [size, digits, start, ...rest] = text.split(":");
  const { rows, cols } = shapeOf(size);
  const wanted = Math.ceil((rows * cols) / 4);
  if (rest.length || !/^[0-9a-f]*$/.test(digits ?? "") || (digits ?? "").length !== wanted) {
    throw new NotationProblem("This is not the address of a board to open.", "Copy the whole link.");
  }
  const bits = [...digits].map((digit) => parseInt(digit, 16).toString(2).padStart(4, "0")).join("");
  return hiddenPosition(rows, cols, bits.slice(0, rows * cols), start === undefined ? null : Number(start));
}

function writeHidden({ rows, cols, hidden: { mines, start } }) {
  const digits = mines.replace(/.{1,4}/g, (four) => parseInt(four.padEnd(4, "0"), 2).toString(16));
  return `${rows}x${cols}:${digits}${start === null ? "" : `:${start}`}`;
}

/** Text that parseBoard reads back: RxC:digits[:sha256] where digits can say it, board text with headers elsewhere. */
function writePosition(position) {
  const { rows, cols, chars, totals, variant, sha256: sha } = position;
  const plain = !totals.rows.length && !totals.columns.length && totals.mines === null && variant === "minesweeper";
  if (plain && /^[.Fx?0-8]*$/.test(chars)) {
    return `${rows}x${cols}:${chars.replace(/[.Fx?]/g, "9")}${sha ? `:${sha}` : ""}`;
  }
  return writeText(position);
}

/** Board text with its headers; marks are left out. */
function writeText({ rows, cols, chars, totals, variant, sha256: sha }) {
  const known = (values) => values.length > 0;
  const out = [];
  const line = (values) => values.map((value) => value ?? "?").join(" ");
  if (totals.mines !== null) out.push(`mines: ${totals.mines}`);
  if (known(totals.rows)) out.push(`rows: ${line(totals.rows)}`);
  if (known(totals.columns)) out.push(`columns: ${line(totals.columns)}`);
  if (variant !== "minesweeper") out.push(`variant: ${variant}`);
  if (sha) out.push(`hash: ${sha}`);
  for (let r = 0; r < rows; r++) out.push(chars.slice(r * cols, (r + 1) * cols).replace(/[Fx?]/g, "."));
  return out.join("\n");
}
