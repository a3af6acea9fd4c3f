import { useMemo } from "react";

import { TrackingClient } from "./api/client";
import { OrderList } from "./components/OrderList";
import { ShipmentPage } from "./components/ShipmentPage";
import { configFromPage } from "./config/parseConfig";
import { EnvironmentContext, type Environment } from "./hooks/useShipment";
import { guardRoute, matchRoute, type Match } from "./routes/routes";
import { createShipmentStore } from "./store/shipments";

/** Build what the pages need from the document they live in. */
export function createEnvironment(page: Document): Environment {
  const config = configFromPage(page);
  return { config, client: new TrackingClient(config), store: createShipmentStore() };
}

export function App({ path }: { path: string }): JSX.Element {
  const environment = useMemo(() => createEnvironment(document), []);
  const match = matchRoute(path);
  const page = match ? choosePage(guardRoute(match, environment.client.signedIn)) : <NotFound />;
  return <EnvironmentContext.Provider value={environment}>{page}</EnvironmentContext.Provider>;
}

function choosePage(match: Match): JSX.Element {
  switch (match.name) {
    case "shipment":
      return <ShipmentPage id={match.params["id"] ?? ""} />;
    case "orders":
    case "order":
      return <OrderList />;
    default:
      return <p>Type a tracking number to see where your parcel is.</p>;
  }
}

function NotFound(): JSX.Element {
  return <p>There is no such page.</p>;
}
