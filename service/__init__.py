"""The record service: the event log and the HTTP interface in front of it."""
