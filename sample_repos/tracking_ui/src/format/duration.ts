const SECONDS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86400 };

/** Turn text such as "30s" or "5m" into seconds; null when it is not a length of time. */
export function parseSeconds(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)([smhd])$/.exec(text.trim());
  if (!match) {
    return null;
  }
  return Number(match[1]) * (SECONDS[match[2] ?? "s"] ?? 1);
}

/** Say how long ago or how far ahead a moment is, in the reader's language. */
export function relativeTime(moment: Date, now: Date, locale: string): string {
  const seconds = (moment.getTime() - now.getTime()) / 1000;
  const formatter = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  const size = Math.abs(seconds);
  if (size < 60) {
    return formatter.format(Math.round(seconds), "second");
  }
  if (size < 3600) {
    return formatter.format(Math.round(seconds / 60), "minute");
  }
  if (size < 86400) {
    return formatter.format(Math.round(seconds / 3600), "hour");
  }
  return formatter.format(Math.round(seconds / 86400), "day");
}
