import type { Problem } from "../types";

/** Base of everything that can go wrong between the page and the server. */
export class ApiError extends Error {
  constructor(
    message: string,
    readonly code: string,
  ) {
    super(message);
    this.name = new.target.name;
  }

  /** Something the person in front of the page can understand. */
  explain(): string {
    return this.message;
  }
}

/** The server could not be reached at all. */
export class NetworkError extends ApiError {
  constructor(readonly reason: unknown) {
    super("the server cannot be reached", "network");
  }

  override explain(): string {
    return "You seem to be offline. We try again by ourselves.";
  }
}

/** The server answered, but with a failure. */
export class HttpError extends ApiError {
  constructor(
    readonly status: number,
    readonly problem: Problem,
  ) {
    super(problem.message, problem.error);
  }

  override explain(): string {
    if (this.problem.error === "ECONNREFUSED") {
      return "The carrier does not answer at the moment.";
    }
    return this.status >= 500 ? "Something broke on our side." : this.problem.message;
  }
}

/** The session is over and could not be renewed. */
export class SessionError extends ApiError {
  constructor() {
    super("please sign in again", "unauthenticated");
  }
}

/** Whether the trouble is likely to go away when the same call is made a moment later. */
export function isPassing(problem: unknown): boolean {
  if (problem instanceof NetworkError) {
    return true;
  }
  return problem instanceof HttpError && (problem.status === 429 || problem.status >= 502);
}

export function toProblem(problem: unknown): Problem {
  if (problem instanceof HttpError) {
    return problem.problem;
  }
  if (problem instanceof ApiError) {
    return { error: problem.code, message: problem.explain() };
  }
  return { error: "unknown", message: String(problem) };
}
