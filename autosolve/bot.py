"""Owns the one loop: look, read, solve, plan, click, look again."""
