import { createContext, useContext, useEffect, useSyncExternalStore } from "react";

import type { TrackingClient } from "../api/client";
import type { UiConfig } from "../config/parseConfig";
import {
  loadShipment,
  selectMoving,
  type ShipmentAction,
  type ShipmentState,
} from "../store/shipments";
import type { Store } from "../store/store";
import type { Loadable, Shipment } from "../types";

export interface Environment {
  client: TrackingClient;
  store: Store<ShipmentState, ShipmentAction>;
  config: UiConfig;
}

export const EnvironmentContext = createContext<Environment | null>(null);

/** What the component tree was started with. */
export function useEnvironment(): Environment {
  const environment = useContext(EnvironmentContext);
  if (!environment) {
    throw new Error("wrap the page in EnvironmentContext.Provider");
  }
  return environment;
}

/** A value taken from the store; the component is drawn again when it changes. */
export function useSelector<R>(select: (state: ShipmentState) => R): R {
  const { store } = useEnvironment();
  return useSyncExternalStore(store.subscribe, () => select(store.get()));
}

/** One parcel, loaded when it is first asked for. */
export function useShipment(id: string): Loadable<Shipment> {
  const { client, store } = useEnvironment();
  useEffect(() => {
    const controller = new AbortController();
    store.dispatch({ type: "watch", id });
    void loadShipment(store, client, id, controller.signal);
    return () => {
      controller.abort();
      store.dispatch({ type: "unwatch", id });
    };
  }, [client, store, id]);
  return useSelector((state) => state.byId[id]) ?? { phase: "idle" };
}

/** Keep every parcel on the page fresh, as long as the tab can be seen. */
export function usePolling(): void {
  const { client, store, config } = useEnvironment();
  useEffect(() => {
    const tick = (): void => {
      if (document.hidden) {
        return;
      }
      for (const id of selectMoving(store.get())) {
        void loadShipment(store, client, id);
      }
    };
    const timer = setInterval(tick, config.pollSeconds * 1000);
    return () => clearInterval(timer);
  }, [client, store, config.pollSeconds]);
}
