"""How good search is: query sets with known answers, metrics with intervals, paired comparisons."""
