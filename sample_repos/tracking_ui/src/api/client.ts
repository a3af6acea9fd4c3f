import type { UiConfig } from "../config/parseConfig";
import type { OrderSummary, Problem, Shipment, Tokens } from "../types";
import { DEFAULT_BACKOFF, withBackoff, type BackoffOptions } from "./backoff";
import { HttpError, NetworkError, SessionError, isPassing } from "./errors";

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

interface CallOptions {
  body?: unknown;
  signal?: AbortSignal;
  token?: string;
}

/** Knows how to reach the server; knows nothing about sessions. */
export class BaseClient {
  protected readonly backoff: BackoffOptions;

  constructor(
    protected readonly config: UiConfig,
    private readonly fetcher: Fetch = (url, init) => fetch(url, init),
  ) {
    this.backoff = { ...DEFAULT_BACKOFF, attempts: config.maxAttempts };
  }

  /** Read something; failures that pass by themselves are tried again. */
  protected read<T>(path: string, options: CallOptions = {}): Promise<T> {
    return withBackoff(
      () => this.once<T>("GET", path, options),
      isPassing,
      this.backoff,
      options.signal,
    );
  }

  /** Change something; sent exactly once, because twice could do harm. */
  protected write<T>(path: string, options: CallOptions = {}): Promise<T> {
    return this.once<T>("POST", path, options);
  }

  private async once<T>(method: string, path: string, options: CallOptions): Promise<T> {
    let response: Response;
    try {
      response = await this.fetcher(this.config.apiBase + path, this.init(method, options));
    } catch (reason) {
      throw new NetworkError(reason);
    }
    if (!response.ok) {
      throw new HttpError(response.status, await readProblem(response));
    }
    return (await response.json()) as T;
  }

  private init(method: string, options: CallOptions): RequestInit {
    const headers: Record<string, string> = { accept: "application/json" };
    if (options.token) {
      headers["authorization"] = `Bearer ${options.token}`;
    }
    if (options.body === undefined) {
      return { method, headers, signal: options.signal ?? null };
    }
    headers["content-type"] = "application/json";
    return { method, headers, body: JSON.stringify(options.body), signal: options.signal ?? null };
  }
}

/** The server as a signed-in customer sees it. */
export class TrackingClient extends BaseClient {
  private tokens: Tokens | null = null;

  async signIn(username: string, password: string): Promise<void> {
    this.tokens = await this.write<Tokens>("/login", { body: { username, password } });
  }

  async signOut(): Promise<void> {
    const token = this.tokens?.access;
    this.tokens = null;
    if (token) {
      await this.write<unknown>("/logout", { token });
    }
  }

  get signedIn(): boolean {
    return this.tokens !== null;
  }

  shipment(id: string, signal?: AbortSignal): Promise<Shipment> {
    return this.authorised((token) =>
      this.read<Shipment>(`/shipments/${encodeURIComponent(id)}`, { token, signal }),
    );
  }

  order(id: string, signal?: AbortSignal): Promise<OrderSummary> {
    return this.authorised((token) =>
      this.read<OrderSummary>(`/orders/${encodeURIComponent(id)}`, { token, signal }),
    );
  }

  async orders(page = 1, signal?: AbortSignal): Promise<OrderSummary[]> {
    const answer = await this.authorised((token) =>
      this.read<{ orders: OrderSummary[] }>(`/orders?page=${page}`, { token, signal }),
    );
    return answer.orders;
  }

  cancelOrder(id: string): Promise<OrderSummary> {
    return this.authorised((token) =>
      this.write<OrderSummary>(`/orders/${encodeURIComponent(id)}/cancel`, { token }),
    );
  }

  /** Make a call with the access token; when it has expired, renew it and call once more. */
  private async authorised<T>(call: (token: string) => Promise<T>): Promise<T> {
    if (!this.tokens) {
      throw new SessionError();
    }
    try {
      return await call(this.tokens.access);
    } catch (problem) {
      if (!(problem instanceof HttpError) || problem.status !== 401) {
        throw problem;
      }
    }
    await this.renew();
    return call(this.tokens.access);
  }

  private async renew(): Promise<void> {
    try {
      this.tokens = await this.write<Tokens>("/refresh", {
        body: { refresh: this.tokens?.refresh },
      });
    } catch {
      this.tokens = null;
      throw new SessionError();
    }
  }
}

async function readProblem(response: Response): Promise<Problem> {
  try {
    return (await response.json()) as Problem;
  } catch {
    return { error: `HTTP_${response.status}`, message: response.statusText };
  }
}
