"""The command line finds its commands by name and imports none of them before it is called."""

import subprocess
import sys

from click.testing import CliRunner

from ops.cli import main


def test_unknown_command_is_refused_with_a_usage_error() -> None:
    result = CliRunner().invoke(main, ["no-such-command"])
    assert result.exit_code == 2
    assert "no-such-command" in result.output


def test_importing_the_group_loads_neither_framework_nor_driver() -> None:
    heavy = "{'litestar', 'psycopg', 'pyarrow', 'cryptography'}"
    code = f"import sys, ops.cli; print(sorted({heavy} & set(sys.modules)))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
