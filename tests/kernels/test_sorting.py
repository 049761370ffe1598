import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from levolve.kernels.bits.words import best_order


@given(
    st.lists(
        st.sampled_from([0.0, -0.0, 1.0, 2.5, -3.0, np.inf]) | st.floats(allow_nan=False),
        max_size=70,
    )
)
def test_the_order_is_best_first_and_stable(scores: list[float]) -> None:
    assert best_order(np.array(scores)).tolist() == sorted(
        range(len(scores)), key=lambda index: -scores[index]
    )
