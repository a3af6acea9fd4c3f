/** A small store: one state, a reducer, and listeners. */

export type Listener = () => void;
export type Reducer<S, A> = (state: S, action: A) => S;
export type Middleware<S, A> = (store: Store<S, A>, action: A, next: (action: A) => void) => void;

export class Store<S, A> {
  private readonly listeners = new Set<Listener>();
  private readonly chain: (action: A) => void;

  constructor(
    private state: S,
    private readonly reducer: Reducer<S, A>,
    middlewares: Middleware<S, A>[] = [],
  ) {
    this.chain = middlewares.reduceRight<(action: A) => void>(
      (next, middleware) => (action) => middleware(this, action, next),
      (action) => this.apply(action),
    );
  }

  get = (): S => this.state;

  dispatch = (action: A): void => {
    this.chain(action);
  };

  /** Call the listener after each change; the result stops that. */
  subscribe = (listener: Listener): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  private apply(action: A): void {
    const next = this.reducer(this.state, action);
    if (next === this.state) {
      return;
    }
    this.state = next;
    for (const listener of [...this.listeners]) {
      listener();
    }
  }
}

/** A store that survives a reload of the page, as far as the browser allows it. */
export class PersistentStore<S, A> extends Store<S, A> {
  constructor(
    private readonly key: string,
    initial: S,
    reducer: Reducer<S, A>,
    private readonly storage: Pick<globalThis.Storage, "getItem" | "setItem">,
  ) {
    super(restore(key, initial, storage), reducer);
    this.subscribe(() => this.save());
  }

  private save(): void {
    try {
      this.storage.setItem(this.key, JSON.stringify(this.get()));
    } catch {
      // The quota is used up or storage is switched off: go on without.
    }
  }
}

function restore<S>(key: string, initial: S, storage: Pick<globalThis.Storage, "getItem">): S {
  try {
    const text = storage.getItem(key);
    return text === null ? initial : { ...initial, ...(JSON.parse(text) as Partial<S>) };
  } catch {
    return initial;
  }
}
