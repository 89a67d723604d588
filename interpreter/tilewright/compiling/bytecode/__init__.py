"""Compiled games as rows of numbers, for the native core."""
