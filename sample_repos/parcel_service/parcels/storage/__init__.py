"""Where orders, shipments and users are kept."""

from .base import BaseRepository, Database
from .repositories import OrderRepository, ShipmentRepository, UserRepository

__all__ = ["BaseRepository", "Database", "OrderRepository", "ShipmentRepository", "UserRepository"]
