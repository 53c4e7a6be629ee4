/** Functions that want to hear about something. */
export interface Listeners<Value> {
  /** Returns how to stop listening. */
  add(listener: (value: Value) => void): () => void;
  tell(value: Value): void;
  readonly size: number;
}

/**
 * @param onFault - gets what a listener throws, so that the others still hear
 */
export function createListeners<Value>(onFault: (error: unknown) => void): Listeners<Value> {
  const listeners = new Set<(value: Value) => void>();
  return {
    add(listener) {
      // A function of its own, so that adding one twice and removing it once leaves one.
      const own = (value: Value): void => listener(value);
      listeners.add(own);
      return () => listeners.delete(own);
    },
    tell(value) {
      for (const listener of listeners) {
        try {
          listener(value);
        } catch (error) {
          onFault(error);
        }
      }
    },
    get size() {
      return listeners.size;
    },
  };
}

/** For what goes wrong in somebody else's code and has nobody to be told: as if it had been thrown by itself. */
export function throwLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

/** For a refusal that nobody listens for: it should not end the program, and not be lost either. */
export function warn(error: Error): void {
  // oxlint-disable-next-line no-console -- the only place there is when nobody listens
  console.error(`proffer: ${error.message}`);
}
