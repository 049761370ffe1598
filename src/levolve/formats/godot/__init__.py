"""Scenes of the Godot engine."""
