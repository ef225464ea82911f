
"use strict";
(() => {
  const looks = JSON.parse(document.getElementById("data").textContent);
  const root = document.documentElement;
  const figures = [...document.querySelectorAll("figure.look")];
  const said = document.getElementById("cell");
  const SVG = "http://www.w3.org/2000/svg";
  let current = 0;
  let picked = null;

  // ---------------------------------------------------------------- what is shown

  const stage = document.querySelector(".stage");
  const bind = (id, name, when) => {
    const box = document.getElementById(id);
    if (!box) return;
    const set = () => stage.classList.toggle(name, box.checked === when);
    box.addEventListener("change", set);
    set();
  };
  bind("show-photo", "no-photo", false);
  bind("show-marks", "no-marks", false);
  bind("show-order", "show-order", true);
  const maps = [...document.querySelectorAll('input[name="map"]')];
  const showMap = () => {
    for (const radio of maps) if (radio.value) stage.classList.toggle("map-" + radio.value, radio.checked);
    const chosen = maps.find((radio) => radio.checked);
    for (const scale of document.querySelectorAll("p.scale")) scale.hidden = !chosen || scale.dataset.map !== chosen.value;
  };
  for (const radio of maps) radio.addEventListener("change", showMap);
  if (maps.length) showMap();

  const showLook = (index) => {
    if (!figures[index] || index === current) return;
    figures[current].hidden = true;
    figures[index].hidden = false;
    current = index;
    picked = null;
    for (const tab of document.querySelectorAll(".tabs button")) {
      tab.setAttribute("aria-pressed", String(Number(tab.dataset.look) === index));
    }
  };
  for (const tab of document.querySelectorAll(".tabs button")) {
    tab.addEventListener("click", () => { clearTold(); showLook(Number(tab.dataset.look)); });
  }

  // ---------------------------------------------------------------- one cell

  const name = (look, cell) => `r${Math.floor(cell / look.cols) + 1}c${(cell % look.cols) + 1}`;
  const shows = (char) =>
    ({ ".": "covered", F: "a flag", x: "marked safe", "?": "a question mark", "*": "a mine", "!": "an exploded mine",
       X: "a wrong flag" })[char] || char;

  const tell = (look, cell) => {
    const row = Math.floor(cell / look.cols), col = cell % look.cols;
    const parts = [];
    if (look.doubts[cell] !== undefined) parts.push(`cannot be read, because ${look.doubts[cell]}`);
    else parts.push(`read as ${shows(look.grid[row][col])}`);
    parts.push(`certainty ${look.certainty[row][col]} %, lead on the next best ${look.lead[row][col]} %`);
    if (look.mines.includes(cell)) parts.push("proven mine");
    if (look.safe.includes(cell)) parts.push("proven safe");
    if (look.chances[cell] !== undefined) parts.push(`chance of a mine ${look.chances[cell]} %`);
    if (look.plan[cell]) parts.push(`to do: ${{ flag: "place a flag", undo: "take the mark away", open: "open it", chord: "open the rest around it" }[look.plan[cell]] || look.plan[cell]}`);
    return `${name(look, cell)}: ${parts.join("; ")}.`;
  };

  const pick = (cell) => {
    const look = looks[current];
    const rect = figures[current].querySelector(".pick");
    picked = cell;
    rect.removeAttribute("hidden");
    rect.setAttribute("x", look.corner[0] + (cell % look.cols) * look.pitch[0]);
    rect.setAttribute("y", look.corner[1] + Math.floor(cell / look.cols) * look.pitch[1]);
    said.textContent = tell(look, cell);
  };

  for (const figure of figures) {
    const board = figure.querySelector("svg");
    const under = (event) => {
      const look = looks[current];
      const matrix = board.getScreenCTM();
      if (!matrix) return null;
      const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
      const col = Math.floor((at.x - look.corner[0]) / look.pitch[0]);
      const row = Math.floor((at.y - look.corner[1]) / look.pitch[1]);
      return row >= 0 && col >= 0 && row < look.rows && col < look.cols ? row * look.cols + col : null;
    };
    const point = (event) => { const cell = under(event); if (cell !== null && cell !== picked) pick(cell); };
    board.addEventListener("pointermove", point);
    board.addEventListener("pointerdown", point);
    board.addEventListener("keydown", (event) => {
      const look = looks[current];
      const moves = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
      const move = moves[event.key];
      if (!move) return;
      event.preventDefault();
      const from = picked === null ? null : picked;
      const row = from === null ? 0 : Math.floor(from / look.cols) + move[0];
      const col = from === null ? 0 : (from % look.cols) + move[1];
      if (row >= 0 && col >= 0 && row < look.rows && col < look.cols) pick(row * look.cols + col);
    });
  }

  // ---------------------------------------------------------------- one step

  let pressed = null;
  const clearTold = () => {
    for (const group of document.querySelectorAll(".told")) group.replaceChildren();
    if (pressed) pressed.setAttribute("aria-pressed", "false");
    pressed = null;
  };
  const cells = (text) => (text ? text.split(" ").map(Number) : []);
  const showStep = (button) => {
    const again = pressed === button;
    clearTold();
    const index = looks.findIndex((look) => look.look === Number(button.dataset.lap));
    if (again || index < 0) return;
    showLook(index);
    pressed = button;
    button.setAttribute("aria-pressed", "true");
    const look = looks[index];
    const group = figures[index].querySelector(".told");
    const draw = (cell, kind) => {
      const rect = document.createElementNS(SVG, "rect");
      rect.setAttribute("class", kind);
      rect.setAttribute("x", look.corner[0] + (cell % look.cols) * look.pitch[0] + 1);
      rect.setAttribute("y", look.corner[1] + Math.floor(cell / look.cols) * look.pitch[1] + 1);
      rect.setAttribute("width", look.pitch[0] - 2);
      rect.setAttribute("height", look.pitch[1] - 2);
      group.append(rect);
    };
    for (const cell of cells(button.dataset.cells)) draw(cell, button.dataset.verdict);
    for (const cell of cells(button.dataset.because)) draw(cell, "because");
  };
  for (const button of document.querySelectorAll(".step")) {
    button.setAttribute("aria-pressed", "false");
    button.addEventListener("click", () => showStep(button));
  }

  // ---------------------------------------------------------------- theme, copy

  const dark = () =>
    root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.getElementById("theme").addEventListener("click", () => { root.dataset.theme = dark() ? "light" : "dark"; });

  const report = document.getElementById("report");
  const status = document.getElementById("copied");
  const byHand = () => {
    report.closest("details").open = true;
    const range = document.createRange();
    range.selectNodeContents(report);
    const selection = getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
    return document.execCommand("copy");
  };
  document.getElementById("copy").addEventListener("click", async () => {
    let done = false;
    try {
      await navigator.clipboard.writeText(report.textContent);
      done = true;
    } catch {
      done = byHand();
    }
    status.textContent = done ? "Copied." : "The text is selected: copy it with the keyboard.";
  });
})();
