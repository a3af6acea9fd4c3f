"""Orders, prices and the way from one to the other.

`OrderService` lives in `parcels.orders.service`; it is not re-exported here because
the storage package needs the models without the workflow.
"""

from .models import Address, Money, Order, OrderStatus, Parcel, Shipment
from .pricing import Quote, quick_quote, quote_order

__all__ = [
    "Address",
    "Money",
    "Order",
    "OrderStatus",
    "Parcel",
    "Quote",
    "Shipment",
    "quick_quote",
    "quote_order",
]
