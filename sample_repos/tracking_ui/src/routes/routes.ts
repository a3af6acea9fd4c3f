/** The addresses of the pages. */

export const ROUTES = {
  home: "/",
  orders: "/orders",
  order: "/orders/:id",
  shipment: "/track/:id",
  signIn: "/sign-in",
} as const;

export type RouteName = keyof typeof ROUTES;
export type Params = Record<string, string>;

export interface Match {
  name: RouteName;
  params: Params;
}

/** Pages that can be seen without an account. */
export const PUBLIC_ROUTES: ReadonlySet<RouteName> = new Set(["home", "signIn"]);

/** Find the page for an address, with the values of its parameters. */
export function matchRoute(path: string): Match | null {
  const wanted = split(path);
  for (const name of Object.keys(ROUTES) as RouteName[]) {
    const params = fit(split(ROUTES[name]), wanted);
    if (params) {
      return { name, params };
    }
  }
  return null;
}

/** Write the address of a page; every parameter has to be given. */
export function buildPath(name: RouteName, params: Params = {}): string {
  return ROUTES[name].replace(/:(\w+)/g, (_, key: string) => {
    const value = params[key];
    if (value === undefined) {
      throw new Error(`the page ${name} needs ${key}`);
    }
    return encodeURIComponent(value);
  });
}

/** Where to send somebody who asks for a page: there, or to the door first. */
export function guardRoute(match: Match, signedIn: boolean): Match {
  if (signedIn || PUBLIC_ROUTES.has(match.name)) {
    return match;
  }
  return { name: "signIn", params: { next: buildPath(match.name, match.params) } };
}

function split(path: string): string[] {
  return path.split("/").filter((part) => part !== "");
}

function fit(pattern: string[], parts: string[]): Params | null {
  if (pattern.length !== parts.length) {
    return null;
  }
  const params: Params = {};
  for (const [index, piece] of pattern.entries()) {
    const part = parts[index] ?? "";
    if (piece.startsWith(":")) {
      params[piece.slice(1)] = decodeURIComponent(part);
    } else if (piece !== part) {
      return null;
    }
  }
  return params;
}
