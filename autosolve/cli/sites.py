"""Owns the command sites: which sites can be read and played."""

from __future__ import annotations

from typing import Any

import click

from autosolve.cli import options, say


@click.group(invoke_without_command=True)
@options.as_json
@click.pass_context
def sites(ctx: click.Context, as_json: bool) -> None:
    """List the sites that can be read and played, your own among them."""
    if ctx.invoked_subcommand is not None:
        return
    from autosolve.errors import ProfileError
    from autosolve.vision import profile

    own = options.user_sites()
    rows: list[dict[str, Any]] = []
    broken: list[ProfileError] = []
    for name, folder in profile.site_folders(own).items():
        row: dict[str, Any] = {"name": name, "folder": str(folder), "own": folder.parent == own}
        try:
            site = profile.load_folder(folder)
            row |= {"title": site.title, "kind": site.kind}
        except ProfileError as problem:
            broken.append(problem)
            row["error"] = str(problem)
        rows.append(row)
    if as_json:
        say.json_result({"sites": rows, "own_folder": str(own)})
    else:
        width = max((len(row["name"]) for row in rows), default=0)
        for row in rows:
            said = row.get("title", "cannot be used, see below") + (" (your own)" if row["own"] else "")
            say.result(f"{row['name']:<{width}}  {said}")
        say.note(f"Your own sites lie in {own}.")
    if broken:
        for earlier in broken[:-1]:
            say.error(earlier)
        raise broken[-1]
