"""Draws the digits that ``vision/digits.py`` compares printed numbers with: ``python tools/draw_digits.py``.

One picture: a row per font, a column per digit, each in the middle of a 32x32 square, its height 24 pixels. Fonts are
those that Debian packages freely (fonts-dejavu, fonts-liberation, fonts-noto-core, fonts-wine, fonts-roboto-unhinted,
fonts-open-sans, fonts-lato, fonts-freefont-ttf, fonts-crosextra-carlito, fonts-cantarell); only their drawings are
kept. Folders to look for further fonts in may be given as arguments.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

FONTS = (
    "dejavu/DejaVuSans-Bold.ttf",
    "dejavu/DejaVuSans.ttf",
    "dejavu/DejaVuSansCondensed-Bold.ttf",
    "dejavu/DejaVuSerif.ttf",
    "liberation/LiberationSans-Bold.ttf",
    "liberation/LiberationSans-Regular.ttf",
    "liberation/LiberationSerif-Regular.ttf",
    "liberation/LiberationSerif-Bold.ttf",
    "noto/NotoSans-Bold.ttf",
    "noto/NotoSans-Regular.ttf",
    "roboto/unhinted/RobotoTTF/Roboto-Regular.ttf",
    "roboto/unhinted/RobotoTTF/Roboto-Medium.ttf",
    "roboto/unhinted/RobotoTTF/Roboto-Bold.ttf",
    "open-sans/OpenSans-Regular.ttf",
    "open-sans/OpenSans-Bold.ttf",
    "lato/Lato-Regular.ttf",
    "lato/Lato-Bold.ttf",
    "freefont/FreeSansBold.ttf",
    "crosextra/Carlito-Regular.ttf",
    "crosextra/Carlito-Bold.ttf",
    "Cantarell-Regular.otf",
    "Cantarell-Bold.otf",
    "tahoma.ttf",
    "tahomabd.ttf",
)
PLACES = [
    Path("/usr/share/fonts/truetype"),
    Path("/usr/share/fonts/opentype/cantarell"),
    Path("/usr/share/wine/fonts"),
    *(Path(a) for a in sys.argv[1:]),  # further folders to look for fonts in
]
SIDE, HEIGHT, FINE = 32, 24, 8
OUT = Path(__file__).resolve().parent.parent / "autosolve" / "vision" / "digits.png"


def draw(font: ImageFont.FreeTypeFont, digit: str) -> Image.Image:
    """A digit in the middle of its square, averaged down from eight times its size."""
    canvas = Image.new("L", (SIDE * FINE * 2, SIDE * FINE * 2))
    ImageDraw.Draw(canvas).text((SIDE * FINE, SIDE * FINE), digit, 255, font, anchor="mm")
    box = canvas.getbbox()
    assert box is not None
    ink = canvas.crop(box)
    scale = HEIGHT * FINE / ink.height
    ink = ink.resize((round(ink.width * scale), HEIGHT * FINE), Image.Resampling.BOX)
    square = Image.new("L", (SIDE * FINE, SIDE * FINE))
    square.paste(ink, ((SIDE * FINE - ink.width) // 2, (SIDE * FINE - ink.height) // 2))
    return square.resize((SIDE, SIDE), Image.Resampling.BOX)


def main() -> None:
    rows = []
    for name in FONTS:
        file = next((p / name for p in PLACES if (p / name).is_file()), None)
        if file is None:
            sys.exit(f"{name} is in none of {', '.join(map(str, PLACES))}")
        font = ImageFont.truetype(str(file), 30 * FINE)
        rows.append(np.hstack([np.asarray(draw(font, digit)) for digit in "0123456789"]))
    Image.fromarray(np.vstack(rows)).save(OUT, optimize=True)
    print(f"{OUT}: {len(rows)} fonts, {OUT.stat().st_size} bytes")


if __name__ == "__main__":
    main()
