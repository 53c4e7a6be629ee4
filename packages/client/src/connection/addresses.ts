/**
 * The addresses of gateways on one journal, any of which will do. All requests of a client share
 * them, so that what one learned about a gateway is known to the next.
 */
export interface Addresses {
  readonly all: readonly string[];
  /** The one to use now. It changes only with {@link leave}. */
  readonly current: string;
  /** All of them, starting with the current one. */
  inTurn(): readonly string[];
  /** There was no answer: makes the next one current, unless another one already is. */
  leave(address: string): void;
}

/** @param given - one address, several separated by commas, or a list; throws a TypeError for none */
export function createAddresses(given: string | readonly string[]): Addresses {
  const all = listAddresses(given);
  const [first] = all;
  if (first === undefined) throw new TypeError('No gateway address was given.');
  let current = first;
  const inTurn = (): readonly string[] => {
    const index = all.indexOf(current);
    return [...all.slice(index), ...all.slice(0, index)];
  };
  return {
    all,
    get current() {
      return current;
    },
    inTurn,
    leave(address) {
      if (address === current) current = inTurn()[1] ?? current;
    },
  };
}

/**
 * Each address once, in the order given: as a list, or as text separated by commas, where an extra
 * comma does not matter.
 */
export function listAddresses(given: string | readonly string[]): readonly string[] {
  const written = typeof given === 'string' ? given.split(',').filter((part) => part.trim() !== '') : given;
  return [...new Set(written.map((address) => address.trim()))];
}

/**
 * Asks at the current address and, without an answer, at each of the others. Throws the last
 * address's error, or any error that another gateway would not change.
 *
 * @param isGone - whether it is worth asking another gateway after this error
 */
export async function askInTurn<Value>(
  addresses: Addresses,
  isGone: (error: unknown) => boolean,
  ask: (address: string) => Promise<Value>,
): Promise<Value> {
  let failure: unknown;
  for (const address of addresses.inTurn()) {
    try {
      return await ask(address);
    } catch (error) {
      if (!isGone(error)) throw error;
      addresses.leave(address);
      failure = error;
    }
  }
  throw failure;
}
