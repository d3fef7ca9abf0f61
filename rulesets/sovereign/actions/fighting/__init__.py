"""Attacks: their form and course, swarms, screens, Attacks of Opportunity and executions."""
