"""Games: what players of a kind of level see, and the kernel that moves all of them. One file per kernel in `levolve.kernels.play`."""
