// Owns where advice comes from: the local server that sent the page, or the plan that the page carries.

const config = JSON.parse(element("config").textContent);
window.autosolveConfig = Object.freeze({ ...config });

/** What the local server answers; an Error with words for the player where it does not. */
async function ask(name, body) {
  let answer;
  let data;
  try {
    answer = await fetch(`/api/${name}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Autosolve-Token": config.token },
      body: JSON.stringify(body),
    });
    data = await answer.json();
  } catch {
    throw new Error("The local server does not answer any more. Start 'autosolve play' again.");
  }
  if (!answer.ok) throw new Error([data.error, data.remedy].filter(Boolean).join(" "));
  return data;
}

/** Advice from the local server. */
const served = {
  hint: (game) => ask("hint", { ...asked(game), ...marksOf(game) }),
  explain: (game) => ask("explain", asked(game)),
};

/** Advice from the plan that a page without a server carries for its own puzzle. */
class Planned {
  constructor(plan) {
    this.plan = plan;
  }

  async hint(game) {
    if (this.plan.status === "contradiction") return this.plan;
    const wrong = wrongMarks(game, this.plan);
    if (wrong.length) return { status: "wrong", cells: wrong, text: saidWrong(wrong.length) };
    const step = this.plan.steps.find((one) => !this.made(game, one));
    if (step) return { status: "step", ...step };
    if (game.over || this.plan.status === "unique") return { status: "done", text: "Nothing is left to find." };
    if (this.counted(game)) return this.plan.stuck;
    return { status: "stuck", odds: null, text: this.plan.text || "Nothing more can be proven here." };
  }

  /** Whether the plan knows the chances of the board as it stands: after a guess they are others. */
  counted(game) {
    const covered = (cell) => game.cells[cell] === COVERED || game.cells[cell] === FLAG;
    const chances = this.plan.stuck?.odds?.flat();
    return chances && (game.kind !== "reveal" || chances.every((chance, cell) => (chance !== null) === covered(cell)));
  }

  made(game, step) {
    return step.cells.every(([r, c]) => game.says(r * game.cols + c, step.verdict === "mine"));
  }

  /** All steps; of a board to open those that what is open already proves. */
  async explain(game) {
    let { steps } = this.plan;
    if (game.kind === "reveal") {
      const shown = ({ clue }) => !clue || game.clues[clue[0] * game.cols + clue[1]] >= 0;
      steps = steps.filter((step) => !this.made(game, step));
      const end = steps.findIndex((step) => !step.clues.every(shown));
      steps = end < 0 ? steps : steps.slice(0, end);
    }
    return { ...this.plan, steps };
  }
}

const asked = (game) => ({ kind: game.kind, board: writeText(game.facts()) });

function pairsOf(game, cells) {
  return cells.map((cell) => [Math.floor(cell / game.cols), cell % game.cols]);
}

function marksOf(game) {
  return { flags: pairsOf(game, game.marked(FLAG)), crosses: pairsOf(game, game.marked(SAFE)) };
}

/** Marks that disagree with what is known of a board: { mines, safe }, both lists of [row, column]. */
function wrongMarks(game, { mines, safe }) {
  const at = ([r, c]) => game.cells[r * game.cols + c];
  return [...safe.filter((cell) => at(cell) === FLAG), ...mines.filter((cell) => at(cell) === SAFE)];
}

function saidWrong(count) {
  return count === 1 ? "The mark here is wrong." : `These ${count} marks are wrong.`;
}
