import { useEffect, useState } from "react";

import { toProblem } from "../api/errors";
import { formatPrice } from "../format/text";
import { useDebounced } from "../hooks/useDebounced";
import { useEnvironment } from "../hooks/useShipment";
import { buildPath } from "../routes/routes";
import type { Loadable, OrderSummary } from "../types";
import { FailureNotice } from "./ShipmentPage";

/** Every order of the customer, with a box to narrow them down. */
export function OrderList(): JSX.Element {
  const { client, config } = useEnvironment();
  const [orders, setOrders] = useState<Loadable<OrderSummary[]>>({ phase: "idle" });
  const [typed, setTyped] = useState("");
  const wanted = useDebounced(typed, 200);

  useEffect(() => {
    const controller = new AbortController();
    setOrders({ phase: "loading" });
    client.orders(1, controller.signal).then(
      (value) => setOrders({ phase: "ready", value, at: Date.now() }),
      (problem: unknown) => setOrders({ phase: "failed", problem: toProblem(problem) }),
    );
    return () => controller.abort();
  }, [client]);

  if (orders.phase === "failed") {
    return <FailureNotice problem={orders.problem} />;
  }
  if (orders.phase !== "ready") {
    return <p aria-busy="true">Loading your orders…</p>;
  }
  return (
    <main>
      <input value={typed} onChange={(event) => setTyped(event.target.value)} placeholder="Search" />
      <ul>
        {matchingOrders(orders.value, wanted).map((order) => (
          <li key={order.id}>
            <a href={buildPath("order", { id: order.id })}>{order.recipient}</a>{" "}
            {formatPrice(order.price, order.currency, config.locale)}
          </li>
        ))}
      </ul>
    </main>
  );
}

/** Orders whose number or recipient holds every word that was typed. */
export function matchingOrders(orders: OrderSummary[], typed: string): OrderSummary[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return orders.filter((order) => {
    const text = `${order.id} ${order.recipient}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
