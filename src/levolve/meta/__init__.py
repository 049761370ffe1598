"""Meta-evolution: the settings of a recipe are evolved, each set of them judged by the runs it makes."""
