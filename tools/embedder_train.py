"""Contrastive training of a table of words in numpy: a question must be nearer to its code than to other code."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from embedder_examples import Bags, Batch, Examples
from numpy.typing import NDArray

Matrix = NDArray[np.float32]

STEPS = 400
WARM_UP = 50
LAST_RATE = 0.05  # share of the full rate at the end of the cosine
TABLE_RATE = 3e-3
WEIGHT_RATE = 5e-3
BETAS = (0.9, 0.98)
EPSILON = 1e-8
TEMPERATURE = 0.05


@dataclass(slots=True)
class Model:
    """Rows, the logarithms of each word's weight in questions and in code, and that of the temperature."""

    rows: Matrix
    question: Matrix
    code: Matrix
    temperature: Matrix

    @classmethod
    def start(cls, rows: Matrix) -> Model:
        """Equal weights."""
        ones = np.zeros(len(rows), np.float32)
        return cls(rows.copy(), ones, ones.copy(), np.array([math.log(TEMPERATURE)], np.float32))

    def parts(self) -> tuple[Matrix, ...]:
        """All that is learned."""
        return self.rows, self.question, self.code, self.temperature


class Adam:
    """Adam over arrays that are changed in place."""

    def __init__(self, parts: tuple[Matrix, ...], rates: tuple[float, ...]) -> None:
        self._parts = parts
        self._rates = rates
        self._first = tuple(np.zeros_like(part) for part in parts)
        self._second = tuple(np.zeros_like(part) for part in parts)
        self._time = 0

    def step(self, gradients: tuple[Matrix, ...], share: float) -> None:
        """One step at a share of the full rates; gradients are used up."""
        self._time += 1
        first_fix, second_fix = (1 - beta**self._time for beta in BETAS)
        for part, gradient, first, second, rate in zip(
            self._parts, gradients, self._first, self._second, self._rates, strict=True
        ):
            first *= BETAS[0]
            first += (1 - BETAS[0]) * gradient
            second *= BETAS[1]
            gradient *= gradient
            gradient *= 1 - BETAS[1]
            second += gradient
            np.sqrt(second, out=gradient)
            gradient /= math.sqrt(second_fix)
            gradient += EPSILON
            np.divide(first, gradient, out=gradient)
            gradient *= rate * share / first_fix
            part -= gradient


def train(rows: Matrix, examples: Examples, seed: int, report: Callable[[int, float], None]) -> Model:
    """A model after all steps; the same seed gives the same model on one machine."""
    model = Model.start(rows)
    adam = Adam(model.parts(), (TABLE_RATE, WEIGHT_RATE, WEIGHT_RATE, WEIGHT_RATE))
    for step, batch in enumerate(examples.batches(STEPS, seed)):
        loss, gradients = learn(model, batch)
        adam.step(gradients, rate_share(step))
        report(step, loss)
    return model


def rate_share(step: int) -> float:
    """Linear warm-up, then a cosine down to the last rate."""
    warm = min(1.0, (step + 1) / WARM_UP)
    return warm * (LAST_RATE + (1 - LAST_RATE) * (1 + math.cos(math.pi * step / STEPS)) / 2)


def average(models: list[Model]) -> Model:
    """The mean of all parts: runs from one start lie in one valley, and their mean is better than each."""
    return Model(*(_mean(parts) for parts in zip(*(model.parts() for model in models), strict=True)))


def _mean(parts: tuple[Matrix, ...]) -> Matrix:
    mean: Matrix = np.mean(np.stack(parts), axis=0, dtype=np.float32)
    return mean


def learn(model: Model, batch: Batch) -> tuple[float, tuple[Matrix, ...]]:
    """Loss of a batch, in both directions, and its gradient for each part of the model."""
    question, code = _Side(model.rows, model.question, batch.questions), _Side(model.rows, model.code, batch.code)
    scale = np.exp(-model.temperature[0])
    scores = (question.units @ code.units.T) * scale
    scores[batch.same] = -np.inf
    loss, slope = _cross_entropy(scores)
    scores[batch.same] = 0
    rows = np.zeros_like(model.rows)
    of_question = question.backward(slope @ code.units * scale, rows)
    of_code = code.backward(slope.T @ question.units * scale, rows)
    heat = np.array([-(slope * scores).sum()], np.float32)
    return loss, (rows, of_question, of_code, heat)


def _cross_entropy(scores: Matrix) -> tuple[float, Matrix]:
    """Mean over both directions of ``-log softmax`` at the diagonal, and its slope by each score."""
    loss = 0.0
    slope = np.zeros_like(scores)
    size = len(scores)
    for axis in (0, 1):
        shares = np.exp(scores - scores.max(axis=axis, keepdims=True))
        shares /= shares.sum(axis=axis, keepdims=True)
        loss -= float(np.log(np.maximum(np.diagonal(shares), 1e-30)).mean()) / 2
        slope += shares / (2 * size)
    slope[np.diag_indices(size)] -= 1 / size
    return loss, slope


class _Side:
    """Unit vectors of bags, ``unit(sum of weight * exp(log weight) * row)``, and the way back."""

    def __init__(self, rows: Matrix, logs: Matrix, bags: Bags) -> None:
        self._known, places = np.unique(bags.ids, return_inverse=True)
        texts = np.repeat(np.arange(len(bags.starts) - 1), np.diff(bags.starts))
        self._amounts: Matrix = np.zeros((len(bags.starts) - 1, len(self._known)), np.float32)
        np.add.at(self._amounts, (texts, places), bags.weights)
        self._weights = np.exp(logs[self._known])
        self._weighed = rows[self._known] * self._weights[:, None]
        sums = self._amounts @ self._weighed
        self._lengths = np.sqrt((sums * sums).sum(axis=1, keepdims=True)) + np.float32(1e-9)
        self._words = len(rows)
        self.units: Matrix = sums / self._lengths

    def backward(self, slope: Matrix, rows: Matrix) -> Matrix:
        """Adds to the gradient of the rows; returns that of the logarithms."""
        sums = (slope - self.units * (self.units * slope).sum(axis=1, keepdims=True)) / self._lengths
        weighed = self._amounts.T @ sums
        logs = np.zeros(self._words, np.float32)
        logs[self._known] = (weighed * self._weighed).sum(axis=1)
        rows[self._known] += weighed * self._weights[:, None]
        return logs
