"""The workflow of an order: take it, price it, hand it to a carrier, follow it."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

from parcels import events as bus_module
from parcels.config import load_settings
from parcels.errors import ConflictError, ValidationError
from parcels.log import get_logger
from parcels.net import CarrierClient, client_for
from parcels.storage import OrderRepository, ShipmentRepository

from .models import Address, Order, OrderStatus, Parcel, Shipment
from .pricing import Quote, quote_order

logger = get_logger(__name__)

POSTCODE = re.compile(r"^[A-Z0-9][A-Z0-9 -]{2,9}$")
HEAVIEST_KG = Decimal("31.5")
MOST_PARCELS = 50


def new_id(prefix: str) -> str:
    """A short random identifier such as ``ord_3f9a1c``."""
    return f"{prefix}_{secrets.token_hex(6)}"


def read_sender(data: Mapping[str, Any]) -> Address:
    """Check and read the sender of an order; a sender must have a street."""
    missing = [key for key in ("name", "street", "postcode", "town") if not data.get(key)]
    if missing:
        raise ValidationError(f"the sender lacks {', '.join(missing)}", field="sender")
    postcode = str(data["postcode"]).upper()
    if not POSTCODE.match(postcode):
        raise ValidationError("the sender's postcode is not valid", field="sender.postcode")
    return Address(data["name"], data["street"], postcode, data["town"], data.get("country", "ES"))


def read_recipient(data: Mapping[str, Any]) -> Address:
    """Check and read the recipient of an order; the country must be given."""
    missing = [
        key for key in ("name", "street", "postcode", "town", "country") if not data.get(key)
    ]
    if missing:
        raise ValidationError(f"the recipient lacks {', '.join(missing)}", field="recipient")
    postcode = str(data["postcode"]).upper()
    if not POSTCODE.match(postcode):
        raise ValidationError("the recipient's postcode is not valid", field="recipient.postcode")
    return Address(data["name"], data["street"], postcode, data["town"], data["country"].upper())


def read_parcels(items: Sequence[Mapping[str, Any]]) -> list[Parcel]:
    """Check and read the boxes of an order."""
    if not 1 <= len(items) <= MOST_PARCELS:
        raise ValidationError(f"an order has between 1 and {MOST_PARCELS} parcels", field="parcels")
    parcels = []
    for number, item in enumerate(items):
        try:
            weight = Decimal(str(item["weight_kg"]))
            edges = [int(edge) for edge in item["size_cm"]]
        except (KeyError, TypeError, ValueError, InvalidOperation) as problem:
            raise ValidationError(
                "a parcel needs weight_kg and size_cm", field=f"parcels[{number}]"
            ) from problem
        if not 0 < weight <= HEAVIEST_KG:
            raise ValidationError(
                f"a parcel weighs up to {HEAVIEST_KG} kg", field=f"parcels[{number}]"
            )
        if len(edges) != 3 or min(edges) <= 0:
            raise ValidationError("size_cm holds three edges", field=f"parcels[{number}]")
        parcels.append(Parcel(weight, *edges))
    return parcels


def choose_carrier(order: Order) -> str:
    """Pick who carries an order: heavy or distant goods go by freight."""
    weight = sum((parcel.weight_kg for parcel in order.parcels), Decimal(0))
    if weight > 40 or order.recipient.country not in {"ES", "PT", "FR"}:
        return "nordfreight"
    return "swiftpost"


class OrderService:
    """Everything that can happen to an order."""

    def __init__(
        self,
        orders: OrderRepository,
        shipments: ShipmentRepository,
        events: bus_module.EventBus,
        carriers: Callable[[str], CarrierClient] = client_for,
    ) -> None:
        self._orders = orders
        self._shipments = shipments
        self._events = events
        self._carriers = carriers

    def quote(self, data: Mapping[str, Any]) -> Quote:
        """Tell the price of an order without placing it."""
        return quote_order(read_parcels(data.get("parcels", [])), str(data.get("country", "")))

    def place(self, customer_id: str, data: Mapping[str, Any]) -> Order:
        """Accept an order: check it, price it, store it, announce it."""
        recipient = read_recipient(data.get("recipient", {}))
        parcels = read_parcels(data.get("parcels", []))
        quote = quote_order(parcels, recipient.country)
        order = Order(
            order_id=new_id("ord"),
            customer_id=customer_id,
            sender=read_sender(data.get("sender", {})),
            recipient=recipient,
            parcels=parcels,
            price=quote.price,
        )
        order.move_to(OrderStatus.CONFIRMED)
        self._orders.add(order)
        self._events.publish("order.placed", order_id=order.order_id)
        return order

    def cancel(self, order_id: str) -> Order:
        """Call an order off, as long as no carrier has it."""
        order = self._orders.get(order_id)
        order.move_to(OrderStatus.CANCELLED)
        self._orders.update(order)
        self._events.publish("order.cancelled", order_id=order_id)
        return order

    def dispatch(self, order_id: str) -> list[Shipment]:
        """Hand every parcel of an order to a carrier and remember the tracking numbers."""
        order = self._orders.get(order_id)
        if order.status is not OrderStatus.CONFIRMED:
            raise ConflictError(f"an order that is {order.status.value} cannot be dispatched")
        carrier = choose_carrier(order)
        client = self._carriers(carrier)
        recipient = vars(order.recipient)
        booked = []
        for parcel in order.parcels:
            body = {
                "weight_kg": str(parcel.weight_kg),
                "size_cm": [parcel.length_cm, parcel.width_cm, parcel.height_cm],
            }
            shipment = Shipment(new_id("shp"), order_id, carrier, client.book(body, recipient))
            self._shipments.add(shipment)
            booked.append(shipment)
        order.move_to(OrderStatus.DISPATCHED)
        self._orders.update(order)
        self._events.publish("order.dispatched", order_id=order_id, carrier=carrier)
        return booked

    def follow(self, shipment_id: str) -> Shipment:
        """Bring a shipment's steps up to date with what the carrier knows."""
        shipment = self._shipments.get(shipment_id)
        steps = self._carriers(shipment.carrier).track(shipment.tracking)
        shipment.steps = [vars(step) for step in steps]
        if steps and steps[-1].note.lower().startswith("delivered"):
            shipment.delivered = True
            self._finish(shipment.order_id)
        self._shipments.update(shipment)
        return shipment

    def recent(self, customer_id: str, page: int = 1) -> list[Order]:
        """One page of a customer's orders, newest first."""
        size = load_settings().storage.page_size
        found = self._orders.find_by_customer(customer_id)
        newest = sorted(found, key=lambda order: order.created_at, reverse=True)
        return newest[(page - 1) * size : page * size]

    def _finish(self, order_id: str) -> None:
        order = self._orders.get(order_id)
        if order.status is OrderStatus.DISPATCHED:
            order.move_to(OrderStatus.DELIVERED)
            self._orders.update(order)
            self._events.publish("order.delivered", order_id=order_id)
