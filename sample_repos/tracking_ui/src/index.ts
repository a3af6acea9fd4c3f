/** What other packages may use. */

export { App, createEnvironment } from "./App";
export { TrackingClient } from "./api/client";
export { ApiError, HttpError, NetworkError, SessionError } from "./api/errors";
export { DEFAULT_CONFIG, parseConfig, type UiConfig } from "./config/parseConfig";
export { formatPrice, formatWeight, groupTracking as formatTracking } from "./format/text";
export { buildPath, matchRoute } from "./routes/routes";
export * from "./types";
