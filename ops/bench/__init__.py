"""Benchmarks: ratios of Boston to a bare reference, taken in one run on one machine."""
