"""Questions asked of the record, answered as rows computed from events."""
