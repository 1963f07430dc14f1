"""Running Boston: the command line, the embedded database, migrations and checks."""
