"""The service as a whole: signing in, ordering, dispatching, jobs."""

import json
from decimal import Decimal

import pytest

from parcels.api import build_app
from parcels.auth import (
    Role,
    User,
    check_password,
    do_login,
    hash_password,
    password_problems,
    verify_token,
)
from parcels.auth.tokens import TokenKind, issue_access_token
from parcels.errors import AuthError, CarrierError, NotFoundError, TooManyRequestsError
from parcels.events import EventBus
from parcels.jobs import JobState
from parcels.orders import Money, Parcel, quote_order
from parcels.orders.pricing import billable_weight, volume_discount

PASSWORD = "Correct-horse-7"
HASH = hash_password(PASSWORD, rounds=1000)

ORDER = {
    "sender": {
        "name": "Taller Sol",
        "street": "Calle Mayor 3",
        "postcode": "28013",
        "town": "Madrid",
    },
    "recipient": {
        "name": "Rui",
        "street": "Rua Nova 8",
        "postcode": "1100",
        "town": "Lisboa",
        "country": "pt",
    },
    "parcels": [{"weight_kg": "2.4", "size_cm": [30, 20, 10]}],
}


class FakeCarrier:
    broken = False

    def book(self, parcel, recipient):
        if self.broken:
            raise CarrierError("down", "ETIMEDOUT")
        return "TRACK-1"


@pytest.fixture()
def carrier():
    return FakeCarrier()


@pytest.fixture()
def app(carrier):
    built = build_app(carriers=lambda name: carrier)
    built.services.users.add(User("usr_1", "ana", HASH, Role.CLERK))
    built.services.users.add(User("usr_2", "bea", HASH, Role.DISPATCHER))
    return built


def call(app, method, path, data=None, token=None):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return app.request(method, path, json.dumps(data or {}).encode(), headers)


def sign_in(app, name):
    return call(app, "POST", "/login", {"username": name, "password": PASSWORD}).data["access"]


def test_password_round_trip():
    assert check_password(PASSWORD, HASH)
    assert not check_password("something else", HASH)
    assert len(password_problems("ana", "ana")) == 4


def test_token_says_who_and_for_what():
    token = issue_access_token("usr_1", "clerk")
    assert verify_token(token).subject == "usr_1"
    with pytest.raises(AuthError):
        verify_token(token, TokenKind.REFRESH)
    with pytest.raises(AuthError, match="expired"):
        verify_token(issue_access_token("usr_1", "clerk", now=0.0))


def test_account_locks_after_wrong_passwords(app):
    services = app.services
    for _ in range(5):
        with pytest.raises(AuthError):
            do_login("ana", "wrong", services.users, services.sessions)
    with pytest.raises(TooManyRequestsError):
        do_login("ana", PASSWORD, services.users, services.sessions)


def test_closed_session_is_refused(app):
    token = sign_in(app, "ana")
    assert call(app, "POST", "/logout", token=token).data == {"closed": True}
    assert call(app, "GET", "/orders", token=token).status == 401


def test_money_never_loses_a_cent():
    assert [str(part.amount) for part in Money.of("10.00").split(3)] == ["3.34", "3.33", "3.33"]


def test_light_but_large_parcels_are_charged_by_volume():
    assert billable_weight(Parcel(Decimal("1.0"), 50, 40, 30)) == Decimal("12.0")


def test_more_parcels_cost_less_each():
    parcel = Parcel(Decimal("1.0"), 10, 10, 10)
    assert quote_order([parcel] * 5, "ES").price < Money.of("100")
    assert volume_discount(Money.of("100"), 20) == Money.of("15")


def test_order_goes_out(app):
    order = call(app, "POST", "/orders", ORDER, sign_in(app, "ana"))
    assert order.status == 201
    path = f"/orders/{order.data['id']}"
    answer = call(app, "POST", f"{path}/dispatch", token=sign_in(app, "bea"))
    assert answer.status == 202
    assert answer.data["shipments"][0]["tracking"] == "TRACK-1"
    assert call(app, "POST", f"{path}/cancel", token=sign_in(app, "ana")).status == 409
    assert len(app.services.jobs) == 1


def test_clerk_may_not_dispatch(app):
    token = sign_in(app, "ana")
    order = call(app, "POST", "/orders", ORDER, token)
    assert call(app, "POST", f"/orders/{order.data['id']}/dispatch", token=token).status == 403


def test_bad_order_names_the_field(app):
    answer = call(
        app,
        "POST",
        "/orders",
        {**ORDER, "parcels": [{"weight_kg": "90", "size_cm": [1, 1, 1]}]},
        sign_in(app, "ana"),
    )
    assert answer.status == 422 and answer.data["details"] == {"field": "parcels[0]"}


def test_unknown_key_and_path(app):
    with pytest.raises(NotFoundError):
        app.services.order_repository.get("ord_none")
    assert call(app, "GET", "/nowhere").status == 404


def test_transaction_is_undone(app):
    users, database = app.services.users, app.services.database
    with pytest.raises(RuntimeError), database.transaction():
        users.remove("usr_1")
        raise RuntimeError("changed my mind")
    assert users.count() == 2
    assert [len(page) for page in users.pages()] == [2]


def test_waiting_orders_stay_in_line_when_the_carrier_is_down(app, carrier):
    call(app, "POST", "/orders", ORDER, sign_in(app, "ana"))
    carrier.broken = True
    job = app.services.jobs.enqueue("dispatch-waiting")
    assert app.services.jobs.run_due() == 1 and job.state is JobState.DONE
    assert len(app.services.order_repository.waiting_for_dispatch()) == 1


def test_failing_job_dies_in_the_end(app):
    queue = app.services.jobs
    job = queue.enqueue("dispatch-waiting", limit="many", wrong=True)
    queue._clock = iter(range(10**9, 2 * 10**9, 1000)).__next__
    for _ in range(20):
        if queue.dead:
            break
        queue.run_due()
    assert queue.dead == [job] and job.tries == 3


def test_listeners_by_prefix():
    bus, seen = EventBus(), []
    stop = bus.subscribe("order.*", lambda event: seen.append(event.name))
    bus.publish("order.placed")
    bus.publish("user.created")
    stop()
    bus.publish("order.cancelled")
    assert seen == ["order.placed"]
