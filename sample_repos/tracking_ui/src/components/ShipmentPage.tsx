import { relativeTime } from "../format/duration";
import { groupTracking, headline } from "../format/text";
import { useEnvironment, usePolling, useShipment } from "../hooks/useShipment";
import { isFinal, valueOf, type Problem, type Shipment } from "../types";
import { Timeline } from "./Timeline";

/** The page of one parcel: loading, broken, or there. */
export function ShipmentPage({ id }: { id: string }): JSX.Element {
  usePolling();
  const entry = useShipment(id);
  if (entry.phase === "failed") {
    return <FailureNotice problem={entry.problem} />;
  }
  const shipment = valueOf(entry);
  if (!shipment) {
    return <p aria-busy="true">Looking for your parcel…</p>;
  }
  return (
    <main className={entry.phase === "loading" ? "refreshing" : ""}>
      <ShipmentHeader shipment={shipment} />
      <Timeline steps={shipment.steps} />
    </main>
  );
}

function ShipmentHeader({ shipment }: { shipment: Shipment }): JSX.Element {
  const { config } = useEnvironment();
  return (
    <header>
      <h1>{headline(shipment, config.locale)}</h1>
      <p>
        {shipment.carrier} <code>{groupTracking(shipment.tracking)}</code>
      </p>
      {shipment.expected && !isFinal(shipment) && (
        <p>Expected {relativeTime(new Date(shipment.expected), new Date(), config.locale)}</p>
      )}
    </header>
  );
}

/** Tells what went wrong in words and offers to load the page again. */
export function FailureNotice({ problem }: { problem: Problem }): JSX.Element {
  return (
    <div role="alert" className="failure">
      <p>{problem.message}</p>
      <small>{problem.error}</small>
      <button type="button" onClick={() => window.location.reload()}>
        Load again
      </button>
    </div>
  );
}
