"""The routes of the service."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from parcels import __version__
from parcels.auth import Role, do_login, do_logout, refresh_session
from parcels.auth.middleware import require_role, require_user
from parcels.errors import ForbiddenError, ValidationError
from parcels.orders import Order, Quote, Shipment

from .router import Request, Response, Router

routes = Router()


def show_order(order: Order) -> dict[str, Any]:
    """An order as clients see it."""
    return {
        "id": order.order_id,
        "status": order.status.value,
        "price": str(order.price.amount),
        "currency": order.price.currency,
        "recipient": order.recipient.one_line(),
        "parcels": len(order.parcels),
    }


def show_shipment(shipment: Shipment) -> dict[str, Any]:
    """A shipment as clients see it."""
    return {
        "id": shipment.shipment_id,
        "order": shipment.order_id,
        "carrier": shipment.carrier,
        "tracking": shipment.tracking,
        "steps": shipment.steps,
        "delivered": shipment.delivered,
    }


def show_quote(quote: Quote) -> dict[str, Any]:
    """A price with its lines as clients see it."""
    return {
        "zone": quote.zone,
        "price": str(quote.price.amount),
        "currency": quote.price.currency,
        "lines": [{"what": what, "amount": str(amount.amount)} for what, amount in quote.lines],
    }


@routes.get("/health")
def health(request: Request) -> Response:
    """Tell load balancers that the process is alive."""
    return Response(
        200, {"status": "ok", "version": __version__, "jobs": len(request.services.jobs)}
    )


@routes.post("/login")
def login(request: Request) -> Response:
    """Sign in with user name and password."""
    data = request.json()
    if not data.get("username") or not data.get("password"):
        raise ValidationError("username and password are needed")
    services = request.services
    session = do_login(data["username"], data["password"], services.users, services.sessions)
    return Response(200, {"access": session.access_token, "refresh": session.refresh_token})


@routes.post("/refresh")
def refresh(request: Request) -> Response:
    """Get a new pair of tokens for a refresh token."""
    token = request.json().get("refresh", "")
    session = refresh_session(token, request.services.users, request.services.sessions)
    return Response(200, {"access": session.access_token, "refresh": session.refresh_token})


@routes.post("/logout")
@require_user
def logout(request: Request) -> Response:
    """Close the caller's session."""
    token = request.headers["authorization"].partition(" ")[2]
    return Response(200, {"closed": do_logout(token, request.services.sessions)})


@routes.post("/quotes")
@require_user
def create_quote(request: Request) -> Response:
    """Tell what an order would cost."""
    return Response(200, show_quote(request.services.orders.quote(request.json())))


@routes.post("/orders")
@require_user
def create_order(request: Request) -> Response:
    """Place an order for the caller."""
    order = request.services.orders.place(str(request.user_id), request.json())
    return Response(201, show_order(order))


@routes.get("/orders")
@require_user
def list_orders(request: Request) -> Response:
    """The caller's orders, newest first."""
    page = int(request.query.get("page", "1"))
    found = request.services.orders.recent(str(request.user_id), page)
    return Response(200, {"page": page, "orders": [show_order(order) for order in found]})


@routes.get("/orders/{order_id}")
@require_user
def get_order(request: Request) -> Response:
    """One order of the caller."""
    order = request.services.order_repository.get(request.params["order_id"])
    _refuse_foreign(request, order)
    return Response(200, show_order(order))


@routes.get("/shipments/{shipment_id}")
@require_user
def get_shipment(request: Request) -> Response:
    """One shipment of the caller, as last heard from the carrier."""
    shipment = request.services.shipment_repository.get(request.params["shipment_id"])
    _refuse_foreign(request, request.services.order_repository.get(shipment.order_id))
    return Response(200, show_shipment(shipment))


@routes.post("/orders/{order_id}/cancel")
@require_user
def cancel_order(request: Request) -> Response:
    """Call off an order of the caller."""
    order_id = request.params["order_id"]
    _refuse_foreign(request, request.services.order_repository.get(order_id))
    return Response(200, show_order(request.services.orders.cancel(order_id)))


@routes.post("/orders/{order_id}/dispatch")
@require_role(Role.DISPATCHER)
def dispatch_order(request: Request) -> Response:
    """Hand an order to its carrier."""
    booked = request.services.orders.dispatch(request.params["order_id"])
    return Response(202, {"shipments": [show_shipment(shipment) for shipment in booked]})


@routes.get("/admin/dead-jobs")
@require_role(Role.ADMIN)
def dead_jobs(request: Request) -> Response:
    """Jobs that failed too often."""
    return Response(200, {"jobs": [asdict(job) for job in request.services.jobs.dead]})


def _refuse_foreign(request: Request, order: Order) -> None:
    """Clerks see their own orders only; dispatchers see all."""
    if order.customer_id != request.user_id and not request.role.includes(Role.DISPATCHER):
        raise ForbiddenError("this order belongs to somebody else")
