import { useEffect, useState } from 'preact/hooks';

/** An observable value. */
export interface Store<Value> {
  get(): Value;
  set(next: Value): void;
  /** Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void;
}

export function createStore<Value>(initial: Value): Store<Value> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The value of a store; its users are re-rendered when it changes. */
export function useStore<Value>(store: Store<Value>): Value {
  const [, redraw] = useState({});
  const value = store.get();
  useEffect(() => {
    // The value may have changed between rendering and subscribing.
    if (!Object.is(store.get(), value)) redraw({});
    return store.subscribe(() => redraw({}));
  }, [store]);
  return value;
}
