import assert from "node:assert/strict";
import { test } from "node:test";

import { delayAfter, withBackoff } from "../src/api/backoff";
import { TrackingClient } from "../src/api/client";
import { HttpError, isPassing } from "../src/api/errors";
import { matchingOrders } from "../src/components/OrderList";
import { DEFAULT_CONFIG, parseConfig } from "../src/config/parseConfig";
import { groupTracking } from "../src/format/text";
import { buildPath, guardRoute, matchRoute } from "../src/routes/routes";
import { EMPTY, selectMoving, shipmentReducer } from "../src/store/shipments";
import { ParcelState, type Shipment } from "../src/types";

const SHIPMENT: Shipment = {
  id: "shp_1",
  order: "ord_1",
  carrier: "swiftpost",
  tracking: "SP123456789ES",
  state: ParcelState.InTransit,
  steps: [],
};

const REFUSED = { error: "ECONNREFUSED", message: "the carrier is down" };

function answer(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status });
}

test("parseConfig reads lengths of time and drops the last slash", () => {
  const config = parseConfig('{"apiBase": "/v2/", "poll": "2m"}');
  assert.equal(config.apiBase, "/v2");
  assert.equal(config.pollSeconds, 120);
  assert.throws(() => parseConfig('{"poll": "soon"}'), /not a length of time/);
});

test("delays double and stay under the cap", () => {
  const options = { attempts: 9, firstMs: 100, longestMs: 300, random: () => 1 };
  assert.deepEqual([1, 2, 3].map((failure) => delayAfter(failure, options)), [100, 200, 300]);
});

test("a request can be retried until it works", async () => {
  const options = { attempts: 3, firstMs: 0, longestMs: 0 };
  const result = await withBackoff(
    async (attempt) => {
      if (attempt < 3) {
        throw new HttpError(503, REFUSED);
      }
      return attempt;
    },
    isPassing,
    options,
  );
  assert.equal(result, 3);
});

test("an expired token is renewed once", async () => {
  const urls: string[] = [];
  const answers = [
    answer(200, { access: "a1", refresh: "r1" }),
    answer(401, { error: "unauthenticated", message: "the token has expired" }),
    answer(200, { access: "a2", refresh: "r2" }),
    answer(200, SHIPMENT),
  ];
  const client = new TrackingClient(DEFAULT_CONFIG, async (url) => {
    urls.push(url);
    return answers.shift() ?? answer(500, {});
  });
  await client.signIn("ana", "secret");
  assert.equal((await client.shipment("shp_1")).id, "shp_1");
  assert.deepEqual(urls, ["/api/login", "/api/shipments/shp_1", "/api/refresh", "/api/shipments/shp_1"]);
});

test("a refused carrier is explained in words", () => {
  assert.match(new HttpError(503, REFUSED).explain(), /does not answer/);
});

test("parcels that have arrived are left alone", () => {
  let state = shipmentReducer(EMPTY, { type: "watch", id: "shp_1" });
  assert.deepEqual(selectMoving(state), ["shp_1"]);
  const shipment = { ...SHIPMENT, state: ParcelState.Delivered };
  state = shipmentReducer(state, { type: "loaded", shipment, at: 0 });
  assert.deepEqual(selectMoving(state), []);
});

test("addresses go both ways", () => {
  assert.equal(buildPath("shipment", { id: "a b" }), "/track/a%20b");
  assert.deepEqual(matchRoute("/track/a%20b"), { name: "shipment", params: { id: "a b" } });
  assert.equal(guardRoute({ name: "orders", params: {} }, false).name, "signIn");
});

test("tracking numbers are grouped", () => {
  assert.equal(groupTracking("sp12-3456"), "SP12 3456");
});

test("every typed word has to match", () => {
  const order = { id: "ord_1", recipient: "Rui, Lisboa", price: "1", currency: "EUR", parcels: 1 };
  const orders = [{ ...order, status: "draft" as const }];
  assert.equal(matchingOrders(orders, "rui lis").length, 1);
  assert.equal(matchingOrders(orders, "rui porto").length, 0);
});
