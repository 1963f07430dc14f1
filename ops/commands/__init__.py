"""The subcommands of `boston`, one module per command group, imported only when called."""
