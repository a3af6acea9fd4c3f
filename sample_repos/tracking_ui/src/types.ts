/** Words shared by every part of the pages. */

export enum ParcelState {
  Announced = "announced",
  InTransit = "in_transit",
  OutForDelivery = "out_for_delivery",
  Delivered = "delivered",
  Returned = "returned",
  Lost = "lost",
}

export type Carrier = "swiftpost" | "nordfreight";

export interface ScanStep {
  at: string;
  place: string;
  note: string;
}

export interface Shipment {
  id: string;
  order: string;
  carrier: Carrier;
  tracking: string;
  state: ParcelState;
  steps: ScanStep[];
  /** When the carrier expects to deliver, if it says so. */
  expected?: string;
}

export interface OrderSummary {
  id: string;
  status: "draft" | "confirmed" | "dispatched" | "delivered" | "cancelled";
  price: string;
  currency: string;
  recipient: string;
  parcels: number;
}

export interface Tokens {
  access: string;
  refresh: string;
}

export interface Problem {
  error: string;
  message: string;
  details?: Record<string, string>;
}

/** The result of something that may be on its way, there, or broken. */
export type Loadable<T> =
  | { phase: "idle" }
  | { phase: "loading"; previous?: T }
  | { phase: "ready"; value: T; at: number }
  | { phase: "failed"; problem: Problem };

export const FINAL_STATES: ReadonlySet<ParcelState> = new Set([
  ParcelState.Delivered,
  ParcelState.Returned,
  ParcelState.Lost,
]);

/** Whether a parcel can still move. */
export function isFinal(shipment: Shipment): boolean {
  return FINAL_STATES.has(shipment.state);
}

/** Narrow a loadable to the value it holds, also while a newer one is loading. */
export function valueOf<T>(loadable: Loadable<T>): T | undefined {
  if (loadable.phase === "ready") {
    return loadable.value;
  }
  return loadable.phase === "loading" ? loadable.previous : undefined;
}
