import { stepLine } from "../format/text";
import { useEnvironment } from "../hooks/useShipment";
import type { ScanStep } from "../types";

interface TimelineProps {
  steps: ScanStep[];
  /** How many scans to show before the reader asks for more. */
  limit?: number;
}

/** Newest scan first, with the older ones folded away. */
export function Timeline({ steps, limit = 5 }: TimelineProps): JSX.Element {
  const { config } = useEnvironment();
  const newest = [...steps].sort((one, other) => other.at.localeCompare(one.at));
  const shown = newest.slice(0, limit);
  const folded = newest.slice(limit);
  const row = (step: ScanStep): JSX.Element => (
    <li key={`${step.at}-${step.place}`}>{stepLine(step, config.locale)}</li>
  );
  return (
    <section className="timeline">
      <ol>{shown.map(row)}</ol>
      {folded.length > 0 && (
        <details>
          <summary>{folded.length} older scans</summary>
          <ol>{folded.map(row)}</ol>
        </details>
      )}
    </section>
  );
}
