"""The one error of the embedded server: a sentence for the person who started it."""


class EmbeddedError(RuntimeError):
    """The embedded PostgreSQL cannot do what was asked; the message says why and what to do."""
