"""What sending a parcel costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_UP, Decimal

from ..cache import cached
from ..config import load_settings
from ..errors import ValidationError
from .models import Money, Parcel, total

VOLUME_DIVISOR = Decimal(5000)
HALF_KILO = Decimal("0.5")
OVERSIZE_GIRTH_CM = 300

ZONES = {
    "ES": "home",
    "PT": "near",
    "FR": "near",
    "AD": "near",
    "DE": "europe",
    "IT": "europe",
    "NL": "europe",
    "GB": "europe",
}

BASE_PRICE = {"home": "4.90", "near": "9.50", "europe": "13.80", "world": "28.00"}
PRICE_PER_KILO = {"home": "0.80", "near": "1.90", "europe": "2.70", "world": "8.40"}


@dataclass(frozen=True)
class Quote:
    """A price with the lines it is made of."""

    zone: str
    lines: tuple[tuple[str, Money], ...]

    @property
    def price(self) -> Money:
        currency = self.lines[0][1].currency if self.lines else "EUR"
        return total((amount for _, amount in self.lines), currency)


def zone_of(country: str) -> str:
    """Which price zone a country belongs to; unknown ones are the rest of the world."""
    if len(country) != 2 or not country.isalpha():
        raise ValidationError(f"{country!r} is not a two-letter country code")
    return ZONES.get(country.upper(), "world")


def billable_weight(parcel: Parcel) -> Decimal:
    """The weight that is charged: real or by volume, whichever is more, in half kilos."""
    by_volume = Decimal(parcel.volume_cm3) / VOLUME_DIVISOR
    heavier = max(parcel.weight_kg, by_volume)
    return (heavier / HALF_KILO).quantize(Decimal(1), ROUND_UP) * HALF_KILO


def domestic_price(parcel: Parcel, currency: str) -> Money:
    """Price of one parcel within the country: the first two kilos are included."""
    weight = billable_weight(parcel)
    charged = max(weight - 2, Decimal(0))
    price = Money.of(BASE_PRICE["home"], currency) + Money.of(
        PRICE_PER_KILO["home"], currency
    ).times(charged)
    if parcel.girth_cm > OVERSIZE_GIRTH_CM:
        price = price + Money.of("12.00", currency)
    return price


def international_price(parcel: Parcel, zone: str, currency: str) -> Money:
    """Price of one parcel to another country: every kilo counts, plus customs abroad."""
    weight = billable_weight(parcel)
    price = Money.of(BASE_PRICE[zone], currency) + Money.of(PRICE_PER_KILO[zone], currency).times(
        weight
    )
    if parcel.girth_cm > OVERSIZE_GIRTH_CM:
        price = price + Money.of("35.00", currency)
    if zone == "world":
        price = price + Money.of("6.50", currency)
    return price


def fuel_surcharge(price: Money) -> Money:
    """The share that follows the price of diesel, as a percentage from the settings."""
    percent = Decimal(str(load_settings().pricing.fuel_percent))
    return price.times(percent / 100)


def volume_discount(price: Money, count: int) -> Money:
    """What is taken off when several parcels travel together."""
    if count >= 20:
        return price.times("0.15")
    if count >= 5:
        return price.times("0.08")
    return Money.of(0, price.currency)


def quote_order(parcels: Sequence[Parcel], country: str) -> Quote:
    """Put a full price together: carriage, discount, fuel and pickup."""
    if not parcels:
        raise ValidationError("there is nothing to send")
    settings = load_settings().pricing
    zone = zone_of(country)
    if zone == "home":
        carriage = total(
            (domestic_price(one, settings.currency) for one in parcels), settings.currency
        )
    else:
        carriage = total(
            (international_price(one, zone, settings.currency) for one in parcels),
            settings.currency,
        )
    lines = [("carriage", carriage)]
    discount = volume_discount(carriage, len(parcels))
    if discount.amount:
        lines.append(("discount", Money.of(0, settings.currency) - discount))
    lines.append(("fuel", fuel_surcharge(carriage - discount)))
    if carriage.amount < settings.free_pickup_from:
        lines.append(("pickup", Money.of("3.00", settings.currency)))
    return Quote(zone, tuple(lines))


@cached(lifetime=300.0)
def quick_quote(parcel: Parcel, country: str) -> Quote:
    """The price of a single parcel, remembered for a few minutes."""
    return quote_order([parcel], country)
