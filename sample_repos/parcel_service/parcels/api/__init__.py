"""Putting the service together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from parcels.auth import SessionStore
from parcels.auth.middleware import log_requests, throttle
from parcels.config import load_settings
from parcels.events import Event, EventBus
from parcels.jobs import JobQueue
from parcels.log import configure_logging, get_logger
from parcels.net import CarrierClient, LimiterRegistry, client_for
from parcels.orders.service import OrderService
from parcels.storage import Database, OrderRepository, ShipmentRepository, UserRepository

from .handlers import routes
from .router import Request, Response, Router

logger = get_logger(__name__)


@dataclass
class Services:
    """What handlers and jobs can reach."""

    database: Database
    order_repository: OrderRepository
    shipment_repository: ShipmentRepository
    users: UserRepository
    sessions: SessionStore
    events: EventBus
    orders: OrderService
    jobs: JobQueue = None  # type: ignore[assignment]


class App:
    """The service: its parts and its routing table."""

    def __init__(self, services: Services, router: Router) -> None:
        self.services = services
        self.router = router

    def request(
        self,
        method: str,
        path: str,
        body: bytes = b"",
        headers: dict[str, str] | None = None,
        query: dict[str, str] | None = None,
        remote: str = "local",
    ) -> Response:
        """Answer one request, from a socket or from a test."""
        lowered = {key.lower(): value for key, value in (headers or {}).items()}
        return self.router.handle(
            Request(method, path, self.services, lowered, body, query or {}, remote=remote)
        )


def build_app(
    carriers: Callable[[str], CarrierClient] = client_for, database: str | None = None
) -> App:
    """Create every part of the service and connect them."""
    settings = load_settings()
    configure_logging(settings.service.log_level)
    connection = Database(database or settings.storage.database)
    orders = OrderRepository(connection)
    shipments = ShipmentRepository(connection)
    bus = EventBus()
    services = Services(
        database=connection,
        order_repository=orders,
        shipment_repository=shipments,
        users=UserRepository(connection),
        sessions=SessionStore(),
        events=bus,
        orders=OrderService(orders, shipments, bus, carriers),
    )
    services.jobs = JobQueue(services)
    _connect_listeners(services)
    return App(services, _build_router())


def _build_router() -> Router:
    router = Router()
    router.routes = list(routes.routes)
    router.use(log_requests)
    router.use(throttle(LimiterRegistry()))
    return router


def _connect_listeners(services: Services) -> None:
    """React to events: a dispatched order is followed from then on."""

    @services.events.on("order.dispatched")
    def start_following(event: Event) -> None:
        services.jobs.enqueue("follow-shipments", delay=60.0)

    services.events.subscribe("order.*", _log_event)


def _log_event(event: Event) -> None:
    logger.info("%s %s", event.name, event.payload)
