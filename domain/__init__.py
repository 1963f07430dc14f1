"""The game of Boston as pure functions: decide, evolve, and the vocabulary of both."""
