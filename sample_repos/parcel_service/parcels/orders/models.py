"""What the business talks about: money, addresses, parcels, orders, shipments."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import ROUND_HALF_UP, Decimal
from enum import Enum
from typing import Any

from ..errors import ConflictError, ValidationError

CENT = Decimal("0.01")


@dataclass(frozen=True, order=True)
class Money:
    """An amount in one currency, always rounded to cents."""

    amount: Decimal
    currency: str = "EUR"

    @classmethod
    def of(cls, value: str | int | Decimal, currency: str = "EUR") -> Money:
        """Make an amount from text or a number, rounding half up."""
        return cls(Decimal(value).quantize(CENT, ROUND_HALF_UP), currency)

    def __add__(self, other: Money) -> Money:
        self._same_currency(other)
        return Money.of(self.amount + other.amount, self.currency)

    def __sub__(self, other: Money) -> Money:
        self._same_currency(other)
        return Money.of(self.amount - other.amount, self.currency)

    def times(self, factor: Decimal | int | str) -> Money:
        """Multiply by a factor and round to cents."""
        return Money.of(self.amount * Decimal(factor), self.currency)

    def split(self, parts: int) -> list[Money]:
        """Divide into equal parts; odd cents go to the first ones so that none is lost."""
        if parts < 1:
            raise ValidationError("an amount cannot be split into fewer than one part")
        cents = int(self.amount / CENT)
        share, rest = divmod(cents, parts)
        return [
            Money.of((share + (1 if index < rest else 0)) * CENT, self.currency)
            for index in range(parts)
        ]

    def _same_currency(self, other: Money) -> None:
        if self.currency != other.currency:
            raise ValidationError(f"cannot mix {self.currency} and {other.currency}")


def total(amounts: Iterable[Money], currency: str = "EUR") -> Money:
    """Add amounts up, starting from zero."""
    result = Money.of(0, currency)
    for amount in amounts:
        result = result + amount
    return result


@dataclass(frozen=True)
class Address:
    """Where a parcel comes from or goes to."""

    name: str
    street: str
    postcode: str
    town: str
    country: str

    def one_line(self) -> str:
        """The address as it is printed on a label."""
        return f"{self.name}, {self.street}, {self.postcode} {self.town}, {self.country}"


@dataclass(frozen=True)
class Parcel:
    """A box: weight in kilograms, edges in centimetres."""

    weight_kg: Decimal
    length_cm: int
    width_cm: int
    height_cm: int

    @property
    def volume_cm3(self) -> int:
        return self.length_cm * self.width_cm * self.height_cm

    @property
    def girth_cm(self) -> int:
        """Longest edge plus the way around the other two, as carriers measure it."""
        longest, middle, shortest = sorted(
            (self.length_cm, self.width_cm, self.height_cm), reverse=True
        )
        return longest + 2 * (middle + shortest)


class OrderStatus(str, Enum):
    """The stages of an order, from first draft to the end."""

    DRAFT = "draft"
    CONFIRMED = "confirmed"
    DISPATCHED = "dispatched"
    DELIVERED = "delivered"
    CANCELLED = "cancelled"


ALLOWED_MOVES: dict[OrderStatus, frozenset[OrderStatus]] = {
    OrderStatus.DRAFT: frozenset({OrderStatus.CONFIRMED, OrderStatus.CANCELLED}),
    OrderStatus.CONFIRMED: frozenset({OrderStatus.DISPATCHED, OrderStatus.CANCELLED}),
    OrderStatus.DISPATCHED: frozenset({OrderStatus.DELIVERED}),
    OrderStatus.DELIVERED: frozenset(),
    OrderStatus.CANCELLED: frozenset(),
}


@dataclass
class Order:
    """What a customer wants sent."""

    order_id: str
    customer_id: str
    sender: Address
    recipient: Address
    parcels: list[Parcel]
    price: Money
    status: OrderStatus = OrderStatus.DRAFT
    created_at: datetime = field(default_factory=lambda: datetime.now(UTC))

    def move_to(self, status: OrderStatus) -> None:
        """Change the stage, refusing steps that make no sense."""
        if status not in ALLOWED_MOVES[self.status]:
            raise ConflictError(
                f"an order that is {self.status.value} cannot become {status.value}"
            )
        self.status = status


@dataclass
class Shipment:
    """An order in the hands of a carrier."""

    shipment_id: str
    order_id: str
    carrier: str
    tracking: str
    steps: list[dict[str, Any]] = field(default_factory=list)
    delivered: bool = False
