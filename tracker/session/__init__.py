"""The journal of a fight and the one function that changes it.

`session` carries out `intents` and shows the `model`; `step` plans, `tree` keeps the steps, `store` writes them;
`rows` and `settings` are shared.
"""
