"""The loss of a multinomial logistic regression, for scripts that fit one."""

import numpy as np


def loss(values, wanted, each, weights):
    """How far the shares that weights give each row are from the wanted ones, and the slope of that; rows count `each`."""
    logits = values @ weights
    logits -= logits.max(1, keepdims=True)
    powers = np.exp(logits)
    sums = powers.sum(1, keepdims=True)
    value = -(each[:, None] * wanted * (logits - np.log(sums))).sum()
    return value, values.T @ (each[:, None] * (powers / sums - wanted))
