"""Owns a puzzle as a web page that a person, or the bot, can play without any network."""

from autosolve.player.page import EXAMPLE, page

__all__ = ["EXAMPLE", "page"]
