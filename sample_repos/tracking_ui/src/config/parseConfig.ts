import { parseSeconds } from "../format/duration";

/** Settings of the pages, as the rest of the code sees them. */
export interface UiConfig {
  apiBase: string;
  locale: string;
  pollSeconds: number;
  maxAttempts: number;
  features: Record<FeatureName, boolean>;
}

export type FeatureName = "map" | "darkMode" | "notifications";

export const DEFAULT_CONFIG: UiConfig = {
  apiBase: "/api",
  locale: "en",
  pollSeconds: 30,
  maxAttempts: 3,
  features: { map: false, darkMode: true, notifications: false },
};

export class ConfigProblem extends Error {
  constructor(
    readonly key: string,
    message: string,
  ) {
    super(`${key}: ${message}`);
    this.name = "ConfigProblem";
  }
}

/**
 * Read the JSON that the server writes into the page.
 *
 * Unknown keys are ignored, so that an old page survives a newer server;
 * values of the wrong type are refused with the key's name.
 */
export function parseConfig(text: string): UiConfig {
  const raw: unknown = JSON.parse(text || "{}");
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) {
    throw new ConfigProblem("(root)", "should be an object");
  }
  const source = raw as Record<string, unknown>;
  return {
    apiBase: readString(source, "apiBase", DEFAULT_CONFIG.apiBase).replace(/\/+$/, ""),
    locale: readString(source, "locale", DEFAULT_CONFIG.locale),
    pollSeconds: readDuration(source, "poll", DEFAULT_CONFIG.pollSeconds),
    maxAttempts: readNumber(source, "maxAttempts", DEFAULT_CONFIG.maxAttempts),
    features: readFeatures(source["features"]),
  };
}

function readString(source: Record<string, unknown>, key: string, fallback: string): string {
  const value = source[key];
  if (value === undefined) {
    return fallback;
  }
  if (typeof value !== "string") {
    throw new ConfigProblem(key, "should be text");
  }
  return value;
}

function readNumber(source: Record<string, unknown>, key: string, fallback: number): number {
  const value = source[key];
  if (value === undefined) {
    return fallback;
  }
  if (typeof value !== "number" || !Number.isFinite(value)) {
    throw new ConfigProblem(key, "should be a number");
  }
  return value;
}

function readDuration(source: Record<string, unknown>, key: string, fallback: number): number {
  const text = readString(source, key, `${fallback}s`);
  const seconds = parseSeconds(text);
  if (seconds === null) {
    throw new ConfigProblem(key, `"${text}" is not a length of time`);
  }
  return seconds;
}

function readFeatures(value: unknown): Record<FeatureName, boolean> {
  const features = { ...DEFAULT_CONFIG.features };
  if (typeof value !== "object" || value === null) {
    return features;
  }
  for (const name of Object.keys(features) as FeatureName[]) {
    const given = (value as Record<string, unknown>)[name];
    if (typeof given === "boolean") {
      features[name] = given;
    }
  }
  return features;
}

/** Read the settings from the script element of the page. */
export function configFromPage(page: Document): UiConfig {
  const element = page.getElementById("ui-config");
  return element?.textContent ? parseConfig(element.textContent) : DEFAULT_CONFIG;
}
