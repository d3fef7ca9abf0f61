"""The odds of one step (`odds`), and of the rest of a fight (`fights`).

A program asks for the rest of a fight so, in a thread of its own:

    workers = Workers(find, idle=True)         # once; `find` is a function that another process can import
    beginning = Beginning(ruleset.key, state, root=root_of(ruleset, state))
    for forecast in workers.refined(beginning, cancelled=gone.is_set):
        ...                                    # a `Forecast`; its `over` says why nothing more is coming
    workers.close()                            # with the program

A step that waits for an answer goes along as `step` and `answers`. An action is tried as `step`, against the usual
course with the same dice: `workers.compared(tried, usual)`. `workers.ranged` takes several tactics in turn.
"""
