"""The command line `boston`: a group whose commands live one module each in `ops.commands`.

A command is imported only when it is called or listed, so that `boston replay`
does not pay for the web framework and the database driver. A module
`ops/commands/NAME.py` (`import_.py` for `import`) offers its command or group under the name `command`.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

import click

from ops import commands


class LazyGroup(click.Group):
    """A group whose subcommands are the modules of the package `ops.commands`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(_modules())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        name = _modules().get(cmd_name)
        if name is None:
            return None
        module = import_module(f"{commands.__name__}.{name}")
        command = module.command
        if not isinstance(command, click.Command):
            raise TypeError(f"{module.__name__}.command must be a click command, not {type(command).__name__}")
        return command


def _modules() -> dict[str, str]:
    """The module of each command; where the name is a word of Python, the module's has one more underscore."""
    names = (module.name for module in iter_modules(commands.__path__))
    return {name.rstrip("_").replace("_", "-"): name for name in names}


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="boston", prog_name="boston")
def main() -> None:
    """Keep the record of club evenings of the card game Boston."""
