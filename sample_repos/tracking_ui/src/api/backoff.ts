/** How a failed call to the server is repeated. */

export interface BackoffOptions {
  attempts: number;
  firstMs: number;
  longestMs: number;
  random?: () => number;
}

export const DEFAULT_BACKOFF: BackoffOptions = { attempts: 3, firstMs: 250, longestMs: 5000 };

/** Milliseconds to wait after the given failure, counted from one. */
export function delayAfter(failure: number, options: BackoffOptions): number {
  const plain = Math.min(options.firstMs * 2 ** (failure - 1), options.longestMs);
  const random = options.random ?? Math.random;
  return Math.round(plain * (0.5 + random() / 2));
}

/** Wait, unless the signal says to stop before the time is over. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(done, milliseconds);
    function done(): void {
      signal?.removeEventListener("abort", stop);
      resolve();
    }
    function stop(): void {
      clearTimeout(timer);
      reject(new DOMException("stopped", "AbortError"));
    }
    signal?.addEventListener("abort", stop, { once: true });
  });
}

/**
 * Run an action until it works, its failure is final, or the attempts are used up.
 * What counts as final is for the caller to say.
 */
export async function withBackoff<T>(
  action: (attempt: number) => Promise<T>,
  worthRepeating: (problem: unknown) => boolean,
  options: BackoffOptions = DEFAULT_BACKOFF,
  signal?: AbortSignal,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await action(attempt);
    } catch (problem) {
      if (attempt >= options.attempts || !worthRepeating(problem)) {
        throw problem;
      }
      await pause(delayAfter(attempt, options), signal);
    }
  }
}
