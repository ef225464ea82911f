"""Draws the cell pictures of the built-in sites from free fonts: ``python tools/draw_templates.py [SITE ...]``.

Each site is a ``Look`` below: colours and measures in CSS pixels. A picture shows one whole cell, from the
middle of one grid line to the middle of the next, at twice its CSS size. Digits come from fonts that Debian
packages freely (fonts-dejavu, fonts-liberation, fonts-noto-core, fonts-wine, fonts-roboto-unhinted,
fonts-open-sans, fonts-lato, fonts-freefont-ttf, fonts-crosextra-carlito); only their drawings are kept here.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field, replace
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

ROOT = Path(__file__).resolve().parent.parent
SCALE = 2  # template pixels per CSS pixel
FINE = 8  # shapes are drawn this much finer, then averaged down

FONTS = {
    "dejavu": "dejavu/DejaVuSans-Bold.ttf",
    "dejavu-condensed": "dejavu/DejaVuSansCondensed-Bold.ttf",
    "dejavu-regular": "dejavu/DejaVuSans.ttf",
    "liberation": "liberation/LiberationSans-Bold.ttf",
    "liberation-regular": "liberation/LiberationSans-Regular.ttf",
    "noto": "noto/NotoSans-Bold.ttf",
    "noto-regular": "noto/NotoSans-Regular.ttf",
    "tahoma": "../../wine/fonts/tahomabd.ttf",
    "roboto": "roboto/unhinted/RobotoTTF/Roboto-Bold.ttf",
    "open-sans": "open-sans/OpenSans-Bold.ttf",
    "lato": "lato/Lato-Bold.ttf",
    "free-sans": "freefont/FreeSansBold.ttf",
    "carlito": "crosextra/Carlito-Bold.ttf",
}
FLAG_FONTS = {
    "dejavu": "dejavu/DejaVuSans-Bold.ttf",
    "dejavu-regular": "dejavu/DejaVuSans.ttf",
    "free-serif": "freefont/FreeSerif.ttf",
    "noto-symbols": "noto/NotoSansSymbols-Regular.ttf",
    "noto-symbols-bold": "noto/NotoSansSymbols-Bold.ttf",
}
FONT_ROOT = Path("/usr/share/fonts/truetype")


@dataclass(frozen=True)
class Look:
    """Colours and CSS measures of one site's cells."""

    pitch: int
    line: str
    covered: str
    light: str
    dark: str
    bevel: int
    open: str
    digit_size: float
    baseline: float  # from the top of the cell's body
    cloth: str = "#ee2433"
    pole: str = "#1a1a1a"
    inks: tuple[str, ...] = field(default_factory=tuple)
    safe_dot: tuple[str, float] | None = None  # colour and diameter
    flag: str = "waving"
    line_width: float = 1
    raised: bool = True  # whether covered cells have a bevel
    safe: str = ""  # body of a cell marked safe, where it is not that of a clue; "-" where none is drawn
    filled: str = ""  # body of a cell marked as a mine, where that is what marks it, as in mosaic
    filled_ink: str = ""  # of the digits on such a cell


CLASSIC = ("#999999", "#0000ff", "#009900", "#ff0000", "#000099", "#990000", "#009999", "#000000", "#990099")

# as in autosolve/player/web/page.css
PLAYER_INKS = "#69727f #1f4fe0 #0a7a2a #d11a26 #16207f #8a1512 #067a82 #14171c #8c1f96"
PLAYER_DARK_INKS = "#98a2b1 #8dbbff #7fd98c #ff928c #c3b1ff #f2b36b #5fdcdc #ffffff #f29af0"
PLAYER = Look(
    pitch=32,
    line="#4d5766",
    covered="#c3cad4",
    light="#f9fafc",
    dark="#8b95a4",
    bevel=3,
    open="#e7eaef",
    digit_size=22,
    baseline=23,
    cloth="#d81e2c",
    pole="#1d222a",
    inks=tuple(PLAYER_INKS.split()),
    safe_dot=("#8b95a4", 5),
    flag="pennant",
)

# a plain page of another author: its covered cells look like its clues, and its flag is a character
PLAIN = Look(
    pitch=31,
    line="#cccccc",
    covered="#eeeeee",
    light="",
    dark="",
    bevel=0,
    open="#eeeeee",
    digit_size=25,
    baseline=24,
    cloth="#ffa500",
    inks=CLASSIC,
    flag="character",
    line_width=2,
    raised=False,
    safe="#cccccc",
)

# the puzzle site's mosaic: flat cells, filled ones near black with white digits; the ink of the others is a guess
MOSAIC = Look(
    pitch=31,
    line="#666666",
    covered="#cccccc",
    light="",
    dark="",
    bevel=0,
    open="#cccccc",
    digit_size=22,
    baseline=22,
    inks=("#000000",) * 10,
    raised=False,
    safe="-",
    filled="#222222",
    filled_ink="#ffffff",
)

# as in autosolve/player/web/page.css
PLAYER_MOSAIC = replace(
    PLAYER,
    covered="#eceff3",
    open="#eceff3",
    raised=False,
    inks=("#1f2630",) * 10,
    filled="#1f2630",
    filled_ink="#ffffff",
)

# site -> look -> Look; the look "" is the only one of its site
LOOKS: dict[str, dict[str, Look]] = {
    "puzzle-minesweeper": {
        "": Look(31, "#666666", "#cccccc", "#ffffff", "#999999", 3, "#cccccc", 22, 22, inks=CLASSIC),
    },
    "mosaic": {"": MOSAIC},
    "plain-player": {"": PLAIN},
    "local-mosaic": {
        "light": PLAYER_MOSAIC,
        "dark": replace(
            PLAYER_MOSAIC,
            line="#06080b",
            covered="#3b4451",
            open="#3b4451",
            inks=("#f2f4f8",) * 10,
            filled="#e6ebf3",
            filled_ink="#14181f",
            safe_dot=("#8d9aad", 5),
        ),
    },
    "local-player": {
        "light": PLAYER,
        "dark": replace(
            PLAYER,
            line="#06080b",
            covered="#5b6778",
            light="#8d9aad",
            dark="#353e4b",
            open="#3b4451",
            cloth="#ff5a5f",
            pole="#0b0e12",
            inks=tuple(PLAYER_DARK_INKS.split()),
            safe_dot=("#8d9aad", 5),
        ),
    },
}


def flat(look: Look, body: str, *, raised: bool) -> Image.Image:
    """A cell without anything on it."""
    n, s = look.pitch * SCALE, SCALE
    half = round(look.line_width * s / 2)
    image = Image.new("RGB", (n, n), look.line)
    pen = ImageDraw.Draw(image)
    pen.rectangle((half, half, n - half - 1, n - half - 1), body)
    if raised:
        size = n - 2 * half
        for i in range(look.bevel * s):
            low, high = half + i, half + size - 1 - i
            pen.line((low, high, high, high), look.dark)
            pen.line((high, low, high, high), look.dark)
            pen.line((low, low, high - 1, low), look.light)
            pen.line((low, low, low, high - 1), look.light)
    return image


def shapes(image: Image.Image, look: Look, parts: list[tuple[str, str, list[tuple[float, float]]]]) -> None:
    """Paints smooth shapes given in CSS pixels of the cell's body: (kind, colour, points)."""
    n = image.width * FINE
    k, off = SCALE * FINE, SCALE * FINE / 2
    for kind, colour, points in parts:
        mask = Image.new("L", (n, n), 0)
        pen = ImageDraw.Draw(mask)
        flat_points = [(x * k + off, y * k + off) for x, y in points]
        if kind == "polygon":
            pen.polygon(flat_points, 255)
        else:
            pen.ellipse((*flat_points[0], *flat_points[1]), 255)
        image.paste(colour, (0, 0), mask.resize(image.size, Image.Resampling.BOX))


def flag_parts(look: Look) -> list[tuple[str, str, list[tuple[float, float]]]]:
    """A small flag that waves to the left of its pole, on a two-step foot."""
    if look.flag == "waving":
        cloth = [(16.8, 8.0), (16.8, 13.4), (14.6, 14.2), (11.6, 13.6), (9.4, 12.2), (8.2, 9.8)]
        cloth += [(10.6, 10.0), (12.8, 9.4), (14.6, 8.4)]
        pole = [(15.3, 8.2), (16.9, 8.2), (16.9, 18.4), (15.3, 18.4)]
        foot = [(11.9, 18.2), (19.1, 18.2), (19.1, 19.3), (20.6, 19.3), (21.2, 21.7), (9.8, 21.7), (10.4, 19.3)]
        foot.append((11.9, 19.3))
        return [("polygon", look.pole, pole), ("polygon", look.cloth, cloth), ("polygon", look.pole, foot)]
    if look.flag == "pennant":
        cloth = [(15.4, 7.0), (24.6, 11.8), (15.4, 16.6)]
        pole = [(13.0, 7.0), (15.4, 7.0), (15.4, 22.0), (13.0, 22.0)]
        foot = [(9.0, 22.0), (19.4, 22.0), (19.4, 25.0), (9.0, 25.0)]
        shrink = (look.pitch - 1) / look.pitch
        parts = [("polygon", look.pole, pole), ("polygon", look.pole, foot), ("polygon", look.cloth, cloth)]
        return [(kind, colour, [(x * shrink, y * shrink) for x, y in points]) for kind, colour, points in parts]
    raise ValueError(look.flag)


def letter(look: Look, char: str, ink: str, font_file: Path) -> Image.Image:
    """A cell with a character on it: a clue, or a flag that is one."""
    image = flat(look, look.open, raised=False)
    font = ImageFont.truetype(str(font_file), look.digit_size * SCALE * 4)
    big = Image.new("L", (image.width * 4, image.height * 4), 0)
    at = (big.width / 2, (look.baseline + 0.5) * SCALE * 4)
    ImageDraw.Draw(big).text(at, char, 255, font=font, anchor="ms")
    image.paste(ink, (0, 0), big.resize(image.size, Image.Resampling.BOX))
    return image


def font_path(file: str) -> Path:
    """Where a font lies; ends the script where it is missing."""
    path = (FONT_ROOT / file).resolve()
    if not path.exists():
        raise SystemExit(f"{path} is missing: install the fonts named at the top of this script.")
    return path


def draw(site: str) -> int:
    """Writes a site's pictures and returns how many."""
    folder = ROOT / "templates" / site
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.png"):
        old.unlink()
    count = 0
    for name, look in LOOKS[site].items():
        for picture, image in pictures(look).items():
            symbol, _, variant = picture.partition(".")
            parts = [symbol, name, variant or "drawn"] if name else [symbol, variant]
            image.save(folder / f"{'.'.join(p for p in parts if p)}.png", optimize=True)
            count += 1
    return count


def pictures(look: Look) -> dict[str, Image.Image]:
    """Every cell of one look, called SYMBOL or SYMBOL.FONT."""
    out = {"covered": flat(look, look.covered, raised=look.raised)}
    if look.safe != "-":
        out["safe"] = flat(look, look.safe or look.open, raised=False)
    if look.safe_dot:
        colour, size = look.safe_dot
        low, high = (look.pitch - 1 - size) / 2, (look.pitch - 1 + size) / 2
        shapes(out["safe"], look, [("ellipse", colour, [(low, low), (high, high)])])
    if look.filled:
        out["flag"] = flat(look, look.filled, raised=False)
    elif look.flag == "character":
        for font, file in FLAG_FONTS.items():
            out[f"flag.{font}"] = letter(look, "\u2691", look.cloth, font_path(file))
    else:
        out["flag"] = flat(look, look.covered, raised=look.raised)
        shapes(out["flag"], look, flag_parts(look))
    for font, file in FONTS.items():
        for number in range(len(look.inks)):
            out[f"clue-{number}.{font}"] = letter(look, str(number), look.inks[number], font_path(file))
            if look.filled:
                filled = replace(look, open=look.filled)
                out[f"filled-{number}.{font}"] = letter(filled, str(number), look.filled_ink, font_path(file))
    return out


if __name__ == "__main__":
    for wanted in sys.argv[1:] or list(LOOKS):
        print(wanted, draw(wanted), "pictures")
