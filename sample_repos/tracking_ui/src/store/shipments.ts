import { toProblem } from "../api/errors";
import type { TrackingClient } from "../api/client";
import { isFinal, valueOf, type Loadable, type Problem, type Shipment } from "../types";
import { Store, type Middleware } from "./store";

export interface ShipmentState {
  byId: Record<string, Loadable<Shipment>>;
  watched: string[];
}

export type ShipmentAction =
  | { type: "watch"; id: string }
  | { type: "unwatch"; id: string }
  | { type: "loading"; id: string }
  | { type: "loaded"; shipment: Shipment; at: number }
  | { type: "failed"; id: string; problem: Problem };

export const EMPTY: ShipmentState = { byId: {}, watched: [] };

/** Work out the next state; never changes the one it is given. */
export function shipmentReducer(state: ShipmentState, action: ShipmentAction): ShipmentState {
  switch (action.type) {
    case "watch":
      return state.watched.includes(action.id)
        ? state
        : { ...state, watched: [...state.watched, action.id] };
    case "unwatch":
      return { ...state, watched: state.watched.filter((id) => id !== action.id) };
    case "loading": {
      const current = state.byId[action.id];
      const previous = current ? valueOf(current) : undefined;
      return put(state, action.id, { phase: "loading", previous });
    }
    case "loaded":
      return put(state, action.shipment.id, {
        phase: "ready",
        value: action.shipment,
        at: action.at,
      });
    case "failed":
      return put(state, action.id, { phase: "failed", problem: action.problem });
  }
}

function put(state: ShipmentState, id: string, entry: Loadable<Shipment>): ShipmentState {
  return { ...state, byId: { ...state.byId, [id]: entry } };
}

/** Parcels that somebody looks at and that can still move. */
export function selectMoving(state: ShipmentState): string[] {
  return state.watched.filter((id) => {
    const entry = state.byId[id];
    const shipment = entry && valueOf(entry);
    return !shipment || !isFinal(shipment);
  });
}

/** How many watched parcels have arrived for good. */
export function selectFinishedCount(state: ShipmentState): number {
  return state.watched.length - selectMoving(state).length;
}

/** Fetch one parcel and tell the store how it went. */
export async function loadShipment(
  store: Store<ShipmentState, ShipmentAction>,
  client: TrackingClient,
  id: string,
  signal?: AbortSignal,
): Promise<void> {
  store.dispatch({ type: "loading", id });
  try {
    const shipment = await client.shipment(id, signal);
    store.dispatch({ type: "loaded", shipment, at: Date.now() });
  } catch (problem) {
    if (!signal?.aborted) {
      store.dispatch({ type: "failed", id, problem: toProblem(problem) });
    }
  }
}

/** Middleware: write every action to the console while developing. */
export const logActions: Middleware<ShipmentState, ShipmentAction> = (store, action, next) => {
  next(action);
  console.debug(action.type, Object.keys(store.get().byId).length);
};

export function createShipmentStore(debug = false): Store<ShipmentState, ShipmentAction> {
  return new Store(EMPTY, shipmentReducer, debug ? [logActions] : []);
}
