/**
 * The addresses of gateways on one journal, any of which will do. Everything that one client does shares them, so that
 * what one request found out about a gateway is known to the next.
 */
export interface Addresses {
  readonly all: readonly string[];
  /** The one to use now. It changes only when it is left. */
  readonly current: string;
  /** All of them, from the current one on. */
  inTurn(): readonly string[];
  /** There was no answer: from now on the next one is current, unless another one is already. */
  leave(address: string): void;
}

/** @param given - one address, several with commas between them, or a list; throws a TypeError for none */
export function createAddresses(given: string | readonly string[]): Addresses {
  const all = listAddresses(given);
  const [first] = all;
  if (first === undefined) throw new TypeError('There is no address of a gateway.');
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
 * Each address once, in the order in which they were written: in a list, or in a text with commas between them, where a
 * comma too many does not matter.
 */
export function listAddresses(given: string | readonly string[]): readonly string[] {
  const written = typeof given === 'string' ? given.split(',').filter((part) => part.trim() !== '') : given;
  return [...new Set(written.map((address) => address.trim()))];
}

/**
 * Asks at the current address and, without an answer, at each of the others. Throws the last address's error, or any
 * error that another gateway would not change.
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
