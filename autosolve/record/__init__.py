"""Owns the records of runs: what a run leaves in a folder, and the page that shows it."""
