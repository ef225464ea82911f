// Owns hands: turns presses of the mouse, taps, long presses, pinches and keys over the board into moves.

const LONG_PRESS = 450; // milliseconds
const FINGER = 10; // CSS pixels a finger may move and still be a tap

class Hands {
  /**
   * ``press``  (cell, button, by a key) makes a move
   * ``game``   gives the game that is played
   */
  constructor(view, { press, game }) {
    this.view = view;
    this.press = press;
    this.game = game;
    this.flagging = false; // a tap or left press does what a right one does, and the other way round
  }

  listen() {
    this.mouse();
    this.touch();
    this.keys();
  }

  /** The button that a press of one on a cell stands for: on a clue there is nothing to flag. */
  meant(button, cell) {
    const { kind, cells } = this.game();
    if (kind !== "mosaic" && cells[cell] === CLUE) return button;
    if (!this.flagging) return button;
    return { left: "right", right: "left" }[button] ?? button;
  }

  mouse() {
    const { view } = this;
    const { field } = view;
    const names = ["left", "middle", "right"];
    // on mousedown, so that the shortest press counts
    field.addEventListener("mousedown", (event) => {
      const cell = view.cellOf(event.target);
      if (cell < 0) return;
      event.preventDefault();
      field.classList.remove("keys");
      const button = event.button === 0 && event.ctrlKey ? "right" : names[event.button];
      view.goTo(cell, !field.contains(document.activeElement)); // to focus every cell costs more than to draw it
      if (button) this.press(cell, this.meant(button, cell), false);
    });
    for (const name of ["contextmenu", "auxclick", "dragstart"]) {
      field.addEventListener(name, (event) => view.cellOf(event.target) >= 0 && event.preventDefault());
    }
  }

  touch() {
    const { view } = this;
    const { field } = view;
    let finger = null;
    let pinch = null;
    const lift = () => {
      clearTimeout(finger?.timer);
      finger = null;
    };
    const apart = ([one, two]) => Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY);
    field.addEventListener(
      "touchstart",
      (event) => {
        lift();
        if (event.touches.length === 2) pinch = { apart: apart(event.touches), pitch: view.pitch };
        const cell = view.cellOf(event.target);
        if (cell < 0 || event.touches.length > 1) return;
        const { clientX: x, clientY: y } = event.touches[0];
        finger = { cell, x, y, done: false };
        finger.timer = setTimeout(() => {
          finger.done = true;
          navigator.vibrate?.(15);
          this.press(cell, this.meant("right", cell), false);
        }, LONG_PRESS);
      },
      { passive: true },
    );
    field.addEventListener(
      "touchmove",
      (event) => {
        if (pinch && event.touches.length === 2) {
          event.preventDefault(); // the board grows, not the page
          view.resize((pinch.pitch * apart(event.touches)) / pinch.apart);
          return;
        }
        const touch = event.touches[0];
        if (finger && Math.hypot(touch.clientX - finger.x, touch.clientY - finger.y) > FINGER) lift();
      },
      { passive: false },
    );
    field.addEventListener("touchend", (event) => {
      pinch = null;
      if (!finger) return;
      event.preventDefault(); // no mouse press follows
      field.classList.remove("keys");
      const { cell, done } = finger;
      lift();
      view.goTo(cell, false);
      if (!done) this.press(cell, this.meant("left", cell), false);
    });
    field.addEventListener("touchcancel", () => {
      pinch = null;
      lift();
    });
  }

  keys() {
    const { view } = this;
    const { field } = view;
    field.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || view.cellOf(event.target) < 0) return;
      const { rows, cols, kind } = this.game();
      const { at } = view;
      const row = Math.floor(at / cols);
      const col = at % cols;
      const go = (r, c) => Math.min(rows - 1, Math.max(0, r)) * cols + Math.min(cols - 1, Math.max(0, c));
      const moves = {
        ArrowUp: () => go(row - 1, col),
        ArrowDown: () => go(row + 1, col),
        ArrowLeft: () => go(row, col - 1),
        ArrowRight: () => go(row, col + 1),
        Home: () => go(row, 0),
        End: () => go(row, cols - 1),
        PageUp: () => go(row - 5, col),
        PageDown: () => go(row + 5, col),
      };
      // F says "mine" and X says "none" on every kind of board
      const [mine, none] = kind === "mosaic" ? ["left", "right"] : ["right", "left"];
      const marks = { f: mine, x: none, " ": "left", Enter: "left" };
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      if (!(key in moves) && !(key in marks)) return;
      event.preventDefault();
      field.classList.add("keys");
      if (key in moves) {
        view.goTo(moves[key]());
        view.cells[view.at].scrollIntoView({ block: "nearest", inline: "nearest" });
      } else if (!event.repeat) {
        view.goTo(at); // the mouse may have been elsewhere than the focus
        this.press(at, marks[key], true);
      }
    });
    // Tab brings the keyboard to the board; the mouse's own focus shows no ring
    field.addEventListener("keyup", (event) => {
      if (event.key === "Tab") field.classList.add("keys");
    });
  }
}
