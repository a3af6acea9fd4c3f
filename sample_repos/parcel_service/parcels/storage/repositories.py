"""The repositories for orders, shipments and users."""

from __future__ import annotations

import json
import sqlite3
from datetime import datetime
from decimal import Decimal
from typing import Any

from parcels.auth.session import Role, User
from parcels.orders.models import Address, Money, Order, OrderStatus, Parcel, Shipment

from .base import BaseRepository


class OrderRepository(BaseRepository[Order]):
    """Orders; addresses and parcels are stored as JSON."""

    table = "orders"
    columns = ("order_id", "customer_id", "status", "price", "currency", "created_at", "body")

    def to_row(self, entity: Order) -> dict[str, Any]:
        body = {
            "sender": vars(entity.sender),
            "recipient": vars(entity.recipient),
            "parcels": [_pack_parcel(parcel) for parcel in entity.parcels],
        }
        return {
            "order_id": entity.order_id,
            "customer_id": entity.customer_id,
            "status": entity.status.value,
            "price": str(entity.price.amount),
            "currency": entity.price.currency,
            "created_at": entity.created_at.isoformat(),
            "body": json.dumps(body),
        }

    def from_row(self, row: sqlite3.Row) -> Order:
        body = json.loads(row["body"])
        return Order(
            order_id=row["order_id"],
            customer_id=row["customer_id"],
            sender=Address(**body["sender"]),
            recipient=Address(**body["recipient"]),
            parcels=[_unpack_parcel(item) for item in body["parcels"]],
            price=Money.of(row["price"], row["currency"]),
            status=OrderStatus(row["status"]),
            created_at=datetime.fromisoformat(row["created_at"]),
        )

    def find_by_customer(self, customer_id: str) -> list[Order]:
        """Every order of one customer."""
        cursor = self.database.execute(
            f"SELECT * FROM {self.table} WHERE customer_id = ? ORDER BY created_at", (customer_id,)
        )
        return [self.from_row(row) for row in cursor]

    def waiting_for_dispatch(self, limit: int = 20) -> list[Order]:
        """Confirmed orders that no carrier has yet, oldest first."""
        cursor = self.database.execute(
            f"SELECT * FROM {self.table} WHERE status = ? ORDER BY created_at LIMIT ?",
            (OrderStatus.CONFIRMED.value, limit),
        )
        return [self.from_row(row) for row in cursor]


class ShipmentRepository(BaseRepository[Shipment]):
    """Shipments and the scans a carrier reported."""

    table = "shipments"
    columns = ("shipment_id", "order_id", "carrier", "tracking", "steps", "delivered")

    def to_row(self, entity: Shipment) -> dict[str, Any]:
        return {
            "shipment_id": entity.shipment_id,
            "order_id": entity.order_id,
            "carrier": entity.carrier,
            "tracking": entity.tracking,
            "steps": json.dumps(entity.steps),
            "delivered": "yes" if entity.delivered else "no",
        }

    def from_row(self, row: sqlite3.Row) -> Shipment:
        return Shipment(
            shipment_id=row["shipment_id"],
            order_id=row["order_id"],
            carrier=row["carrier"],
            tracking=row["tracking"],
            steps=json.loads(row["steps"]),
            delivered=row["delivered"] == "yes",
        )

    def find_by_order(self, order_id: str) -> list[Shipment]:
        """Every shipment of one order."""
        cursor = self.database.execute(
            f"SELECT * FROM {self.table} WHERE order_id = ? ORDER BY shipment_id", (order_id,)
        )
        return [self.from_row(row) for row in cursor]

    def still_travelling(self) -> list[Shipment]:
        """Shipments that have not arrived."""
        cursor = self.database.execute(f"SELECT * FROM {self.table} WHERE delivered = 'no'")
        return [self.from_row(row) for row in cursor]


class UserRepository(BaseRepository[User]):
    """People who can sign in."""

    table = "users"
    columns = ("user_id", "username", "password_hash", "role")

    def to_row(self, entity: User) -> dict[str, Any]:
        return {
            "user_id": entity.user_id,
            "username": entity.username.lower(),
            "password_hash": entity.password_hash,
            "role": entity.role.value,
        }

    def from_row(self, row: sqlite3.Row) -> User:
        return User(row["user_id"], row["username"], row["password_hash"], Role(row["role"]))

    def find_by_username(self, username: str) -> User | None:
        """The user with this name, or None."""
        row = self.database.execute(
            f"SELECT * FROM {self.table} WHERE username = ?", (username.lower(),)
        ).fetchone()
        return self.from_row(row) if row else None


def _pack_parcel(parcel: Parcel) -> dict[str, Any]:
    return {
        "weight_kg": str(parcel.weight_kg),
        "size_cm": [parcel.length_cm, parcel.width_cm, parcel.height_cm],
    }


def _unpack_parcel(item: dict[str, Any]) -> Parcel:
    return Parcel(Decimal(item["weight_kg"]), *item["size_cm"])
