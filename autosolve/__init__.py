"""autosolve reads Minesweeper from the screen, proves where the mines are, and clicks."""

__version__ = "0.1.0"
