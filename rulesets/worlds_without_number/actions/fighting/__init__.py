"""Attacks: their form and course, the answers to them, swarms, screens, powers and executions."""
