"""Draws the shapes that the reader knows in any look: ``python tools/draw_shapes.py``, into templates/shapes/.

A shape is ink without colour, white on black, in a square of 48 pixels. One file is one hand: ``digits.FONT.png`` holds
the digits 0 to 9 side by side, from a free font (see tools/draw_templates.py for the Debian packages) or built here
from thick strokes as on a pixel display; ``flag.NAME.png``, ``mine.NAME.png``, ``question.FONT.png`` and so on hold one
shape each, built here from polygons and discs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from draw_templates import font_path
from PIL import Image, ImageDraw, ImageFont

ROOT = Path(__file__).resolve().parent.parent
SIDE = 48  # pixels of a shape's square
FINE = 8  # shapes are drawn this much finer, then averaged down

FONTS = {
    "carlito": "crosextra/Carlito-Bold.ttf",
    "carlito-regular": "crosextra/Carlito-Regular.ttf",
    "dejavu": "dejavu/DejaVuSans-Bold.ttf",
    "dejavu-condensed": "dejavu/DejaVuSansCondensed-Bold.ttf",
    "dejavu-mono": "dejavu/DejaVuSansMono-Bold.ttf",
    "dejavu-regular": "dejavu/DejaVuSans.ttf",
    "dejavu-serif": "dejavu/DejaVuSerif-Bold.ttf",
    "free-mono": "freefont/FreeMonoBold.ttf",
    "free-sans": "freefont/FreeSansBold.ttf",
    "free-serif": "freefont/FreeSerifBold.ttf",
    "free-serif-regular": "freefont/FreeSerif.ttf",
    "lato": "lato/Lato-Bold.ttf",
    "lato-black": "lato/Lato-Black.ttf",
    "lato-regular": "lato/Lato-Regular.ttf",
    "liberation": "liberation/LiberationSans-Bold.ttf",
    "liberation-mono": "liberation/LiberationMono-Bold.ttf",
    "liberation-narrow": "liberation/LiberationSansNarrow-Bold.ttf",
    "liberation-regular": "liberation/LiberationSans-Regular.ttf",
    "liberation-serif": "liberation/LiberationSerif-Bold.ttf",
    "liberation-serif-regular": "liberation/LiberationSerif-Regular.ttf",
    "noto": "noto/NotoSans-Bold.ttf",
    "noto-regular": "noto/NotoSans-Regular.ttf",
    "noto-serif": "noto/NotoSerif-Bold.ttf",
    "open-sans": "open-sans/OpenSans-Bold.ttf",
    "open-sans-regular": "open-sans/OpenSans-Regular.ttf",
    "roboto": "roboto/unhinted/RobotoTTF/Roboto-Bold.ttf",
    "roboto-black": "roboto/unhinted/RobotoTTF/Roboto-Black.ttf",
    "roboto-medium": "roboto/unhinted/RobotoTTF/Roboto-Medium.ttf",
    "tahoma": "../../wine/fonts/tahomabd.ttf",
}

Points = list[tuple[float, float]]

# Digits of thick strokes, as runs of a pen over a field 2 wide and 4 high (x to the right, y down).
STROKES: dict[str, list[Points]] = {
    "0": [[(0, 0), (2, 0), (2, 4), (0, 4), (0, 0)]],
    "2": [[(0, 0), (2, 0), (2, 2), (0, 2), (0, 4), (2, 4)]],
    "3": [[(0, 0), (2, 0), (2, 4), (0, 4)], [(0.4, 2), (2, 2)]],
    "4": [[(0, 0), (0, 2), (2, 2)], [(2, 0), (2, 4)]],
    "5": [[(2, 0), (0, 0), (0, 2), (2, 2), (2, 4), (0, 4)]],
    "6": [[(2, 0), (0, 0), (0, 4), (2, 4), (2, 2), (0, 2)]],
    "7": [[(0, 0), (2, 0), (2, 4)]],
    "8": [[(0, 0), (2, 0), (2, 4), (0, 4), (0, 0)], [(0, 2), (2, 2)]],
    "9": [[(2, 2), (0, 2), (0, 0), (2, 0), (2, 4), (0, 4)]],
}
ONES: dict[str, list[Points]] = {
    "slab": [[(1, 0), (1, 4)], [(0.15, 4), (1.85, 4)], [(0.35, 0.75), (1, 0.3)]],
    "plain": [[(1, 0), (1, 4)], [(0.4, 0.6), (1, 0.2)]],
}
ROUNDED: dict[str, list[Points]] = {
    "2": [[(0, 0.35), (0.3, 0), (1.7, 0), (2, 0.4), (2, 1.3), (1.6, 1.9), (0.4, 2.7), (0, 3.3), (0, 4), (2, 4)]],
    "3": [[(0, 0), (1.7, 0), (2, 0.4), (2, 1.6), (1.7, 2), (0.6, 2)], [(1.7, 2), (2, 2.4), (2, 3.6), (1.7, 4), (0, 4)]],
    "4": [[(0.75, 0), (0.6, 0.4), (0.1, 2.2), (2, 2.2)], [(1.5, 0), (1.5, 4)]],
    "5": [[(2, 0), (0, 0), (0, 1.8), (1.7, 1.8), (2, 2.2), (2, 3.6), (1.7, 4), (0, 4)]],
    "6": [[(1.8, 0), (0.4, 0), (0, 0.5), (0, 3.6), (0.3, 4), (1.7, 4), (2, 3.6), (2, 2.2), (1.7, 1.8), (0, 1.8)]],
    "7": [[(0, 0), (2, 0), (2, 1.2), (1.1, 3), (1.1, 4)]],
}
SLANTED: dict[str, list[Points]] = {
    "4": [[(1.35, 0), (0.1, 2.6), (2.1, 2.6)], [(1.5, 1.2), (1.5, 4)]],
    "7": [[(0, 0), (2, 0), (2, 1), (1, 2.4), (1, 4)]],
}


def canvas() -> tuple[Image.Image, ImageDraw.ImageDraw]:
    """An empty square, drawn FINE times as large."""
    image = Image.new("L", (SIDE * FINE, SIDE * FINE), 0)
    return image, ImageDraw.Draw(image)


def small(image: Image.Image) -> Image.Image:
    """The square at its size."""
    return image.resize((SIDE, SIDE), Image.Resampling.BOX)


def from_font(char: str, font: ImageFont.FreeTypeFont) -> Image.Image:
    """A character, its box in the middle."""
    image, pen = canvas()
    left, top, right, bottom = font.getbbox(char, anchor="ls")
    x, y = (image.width - left - right) / 2, (image.height - top - bottom) / 2
    pen.text((x, y), char, 255, font=font, anchor="ls")
    return small(image)


def from_strokes(runs: list[Points], width: float, wide: float, square: bool) -> Image.Image:
    """Pen runs with a pen ``width`` fields thick on a digit ``wide`` as wide as usual, 34 pixels high."""
    image, pen = canvas()
    unit = 34 * FINE / (4 + width)
    half = width * unit / 2
    x0, y0 = image.width / 2 - unit * wide, image.height / 2 - 2 * unit
    for run in runs:
        at = [(x0 + x * unit * wide, y0 + y * unit) for x, y in run]
        for (ax, ay), (bx, by) in pairwise(at):
            if square and (ax == bx or ay == by):
                pen.rectangle((min(ax, bx) - half, min(ay, by) - half, max(ax, bx) + half, max(ay, by) + half), 255)
            else:
                pen.line((ax, ay, bx, by), 255, round(2 * half))
                for x, y in ((ax, ay), (bx, by)):
                    pen.ellipse((x - half, y - half, x + half, y + half), 255)
    return small(image)


def blocks() -> dict[str, list[Image.Image]]:
    """The hands of thick strokes: square and round ends, two widths, two ones, straight and slanted 4 and 7."""
    out = {}
    for name, width, wide, square, one, more in (
        ("block", 1.25, 1.15, True, "slab", {}),
        ("block-round", 1.25, 1.15, False, "slab", {}),
        ("block-slanted", 1.25, 1.15, False, "slab", SLANTED),
        ("block-thin", 0.8, 1.2, True, "slab", SLANTED),
        ("block-narrow", 0.9, 0.85, True, "plain", SLANTED),
        ("block-heavy", 1.5, 1.2, False, "slab", SLANTED),
        ("block-wide", 1.5, 2.1, True, "slab", {}),
        ("block-wide-slanted", 1.5, 1.9, False, "slab", SLANTED),
        ("pixel", 1.2, 1.7, False, "slab", ROUNDED),
        ("pixel-wide", 1.2, 2.2, False, "slab", ROUNDED),
        ("pixel-wide-square", 1.2, 2.3, True, "slab", ROUNDED),
        ("pixel-heavy", 1.5, 2.0, False, "slab", ROUNDED),
        ("pixel-thin", 0.9, 2.0, True, "slab", ROUNDED),
    ):
        runs = {**STROKES, **more, "1": ONES[one]}
        out[name] = [from_strokes(runs[str(d)], width, wide, square) for d in range(10)]
    return out


def polygons(parts: list[Points], discs: Sequence[tuple[float, float, float]] = ()) -> Image.Image:
    """Polygons and discs (x, y, radius) in pixels of the square."""
    image, pen = canvas()
    for points in parts:
        pen.polygon([(x * FINE, y * FINE) for x, y in points], 255)
    for x, y, r in discs:
        pen.ellipse(((x - r) * FINE, (y - r) * FINE, (x + r) * FINE, (y + r) * FINE), 255)
    return small(image)


def flags() -> dict[str, Image.Image]:
    """Flags to either side of their pole, with and without a foot."""
    right = [(20, 8), (38, 16), (20, 25)]
    left = [(27, 7), (27, 25), (10, 16)]
    pole_l, pole_r = [(17, 7), (21, 7), (21, 40), (17, 40)], [(25, 7), (29, 7), (29, 34), (25, 34)]
    foot = [[(19, 33), (33, 33), (33, 36), (19, 36)], [(14, 36), (38, 36), (38, 41), (14, 41)]]
    sheet = [(21, 9), (40, 9), (34, 16), (40, 24), (21, 24)]
    square = [(20, 8), (40, 8), (40, 24), (20, 24)]
    thin = [(16, 6), (18, 6), (18, 42), (16, 42)]
    stick, mast = [(12, 8), (16, 8), (16, 42), (12, 42)], [(8, 6), (12, 6), (12, 43), (8, 43)]
    wave = [(20, 9), (26, 7), (32, 10), (40, 8), (38, 16), (40, 23), (32, 25), (26, 22), (20, 24)]
    return {
        "left-foot": polygons([left, pole_r, *foot]),
        "left-block": polygons([[(27, 8), (27, 24), (12, 20), (12, 12)], pole_r, *foot]),
        "left-stump": polygons(
            [left, [(25, 7), (29, 7), (29, 30), (25, 30)], [(17, 30), (36, 30), (36, 40), (17, 40)]]
        ),
        "right": polygons([right, pole_l]),
        "right-foot": polygons([right, pole_l, [(12, 38), (28, 38), (28, 42), (12, 42)]]),
        "right-base": polygons([right, pole_l, [(11, 34), (35, 34), (38, 41), (8, 41)]]),
        "right-dot": polygons([[(19, 8), (38, 17), (19, 26)], [(16, 8), (20, 8), (20, 40), (16, 40)]], [(18, 40, 4)]),
        "sheet": polygons([sheet, pole_l]),
        "square": polygons([square, pole_l]),
        "wave": polygons([wave, [(17, 7), (20, 7), (20, 42), (17, 42)]]),
        "thin": polygons([[(18, 7), (36, 14), (18, 21)], thin]),
        "step": polygons([[(14, 8), (27, 8), (28, 11), (38, 11), (38, 28), (29, 28), (28, 25), (14, 25)], stick]),
        "sail": polygons([[(11, 9), (20, 8), (28, 11), (40, 9), (40, 30), (28, 32), (20, 29), (11, 30)], mast]),
        "open": polygons([[(17, 8), (38, 17), (17, 26), (17, 23), (31, 17), (17, 11)], pole_l]),
        "cloth": polygons([[(12, 10), (38, 24), (12, 38)]]),
    }


# fonts whose letters F and P stand for a flag, and whose flag signs do
LETTERS = (
    "dejavu", "dejavu-mono", "dejavu-regular", "free-mono", "free-serif", "liberation", "liberation-mono",
    "liberation-regular", "liberation-serif", "liberation-serif-regular", "roboto-medium",
)  # fmt: skip
SIGNS = {"black": "\u2691", "white": "\u2690"}


def lettered() -> dict[str, Image.Image]:
    """Flags out of a font: letters, and the signs that are made for it."""
    out = {}
    for name in LETTERS:
        font = ImageFont.truetype(str(font_path(FONTS[name])), 46 * FINE)
        out |= {f"letter-{char.lower()}-{name}": from_font(char, font) for char in "FP"}
    for name in ("dejavu", "free-serif-regular"):
        font = ImageFont.truetype(str(font_path(FONTS[name])), 40 * FINE)
        for kind, char in SIGNS.items():
            if font.getmask(char).getbbox() != font.getmask("\uffff").getbbox():
                out[f"sign-{kind}-{name}"] = from_font(char, font)
    return out


def spikes(radius: float, reach: float, count: int, width: float) -> Image.Image:
    """A mine: a disc with spikes."""
    parts = []
    for i in range(count):
        angle = math.pi * i / count
        dx, dy = math.cos(angle), math.sin(angle)
        nx, ny = -dy * width / 2, dx * width / 2
        a, b = (24 - dx * reach, 24 - dy * reach), (24 + dx * reach, 24 + dy * reach)
        parts.append([(a[0] + nx, a[1] + ny), (b[0] + nx, b[1] + ny), (b[0] - nx, b[1] - ny), (a[0] - nx, a[1] - ny)])
    return polygons(parts, [(24, 24, radius)])


def star(points: int, outer: float, inner: float) -> Image.Image:
    """A mine drawn as a star."""
    at = []
    for i in range(2 * points):
        r = outer if i % 2 == 0 else inner
        angle = math.pi * i / points - math.pi / 2
        at.append((24 + r * math.cos(angle), 24 + r * math.sin(angle)))
    return polygons([at])


def mines() -> dict[str, Image.Image]:
    """Mines: balls with spikes, stars, a bomb with a fuse."""
    bomb = polygons([[(28, 12), (34, 8), (37, 11), (31, 17)]], [(23, 28, 13)])
    return {
        "ball-4": spikes(12, 17, 4, 3.5),
        "ball-2": spikes(12, 17, 2, 3.5),
        "ball-small": spikes(9, 16, 4, 3),
        "ball-wide": spikes(14, 17, 4, 3),
        "star-6": star(6, 17, 10),
        "star-8": star(8, 17, 11),
        "bomb": bomb,
    }


def crossed(image: Image.Image) -> Image.Image:
    """A shape with a cross over it: a wrong flag."""
    big = image.resize((SIDE * FINE, SIDE * FINE))
    pen = ImageDraw.Draw(big)
    for ends in ((8, 8, 40, 40), (8, 40, 40, 8)):
        pen.line([v * FINE for v in ends], 255, 4 * FINE)
    return small(big)


def main() -> None:
    folder = ROOT / "templates" / "shapes"
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.png"):
        old.unlink()
    strips = blocks()
    for name, file in FONTS.items():
        font = ImageFont.truetype(str(font_path(file)), 46 * FINE)
        strips[name] = [from_font(str(d), font) for d in range(10)]
        from_font("?", font).save(folder / f"question.{name}.png", optimize=True)
    for name, strip in strips.items():
        image = Image.new("L", (10 * SIDE, SIDE))
        for d, picture in enumerate(strip):
            image.paste(picture, (d * SIDE, 0))
        image.save(folder / f"digits.{name}.png", optimize=True)
    for name, picture in (flags() | lettered()).items():
        picture.save(folder / f"flag.{name}.png", optimize=True)
    for name, picture in mines().items():
        picture.save(folder / f"mine.{name}.png", optimize=True)
        crossed(picture).save(folder / f"wrong-flag.{name}.png", optimize=True)
    polygons([], [(24, 24, 14)]).save(folder / "disc.round.png", optimize=True)


if __name__ == "__main__":
    main()
