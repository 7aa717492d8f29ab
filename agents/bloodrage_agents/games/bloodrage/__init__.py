"""Agents of Blood Rage."""
