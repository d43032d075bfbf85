"""Tests of the table that is watched."""
