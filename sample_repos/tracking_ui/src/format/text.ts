import { ParcelState, type ScanStep, type Shipment } from "../types";

const STATE_TEXT: Record<ParcelState, string> = {
  [ParcelState.Announced]: "We have been told about it",
  [ParcelState.InTransit]: "On its way",
  [ParcelState.OutForDelivery]: "Arrives today",
  [ParcelState.Delivered]: "Delivered",
  [ParcelState.Returned]: "Sent back",
  [ParcelState.Lost]: "We are looking for it",
};

/** Write an amount of money the way readers of the locale expect. */
export function formatPrice(amount: string, currency: string, locale: string): string {
  return new Intl.NumberFormat(locale, { style: "currency", currency }).format(Number(amount));
}

/** Write a weight; less than a kilo is given in grams. */
export function formatWeight(kilograms: number, locale: string): string {
  if (kilograms < 1) {
    return `${Math.round(kilograms * 1000)} g`;
  }
  return `${new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(kilograms)} kg`;
}

/** Break a tracking number into groups of four so that it can be read aloud. */
export function groupTracking(tracking: string): string {
  return tracking.replace(/[^A-Za-z0-9]/g, "").toUpperCase().replace(/(.{4})(?=.)/g, "$1 ");
}

export function stateText(state: ParcelState): string {
  return STATE_TEXT[state];
}

/** One line about a scan: time, place and what happened. */
export function stepLine(step: ScanStep, locale: string): string {
  const time = new Date(step.at).toLocaleString(locale, { dateStyle: "medium", timeStyle: "short" });
  return [time, step.place, step.note].filter(Boolean).join(" · ");
}

/** The sentence at the top of a shipment's page. */
export function headline(shipment: Shipment, locale: string): string {
  const text = stateText(shipment.state);
  if (shipment.expected && shipment.state === ParcelState.InTransit) {
    const day = new Date(shipment.expected).toLocaleDateString(locale, { weekday: "long" });
    return `${text}, expected on ${day}`;
  }
  return text;
}
