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

/** Where to connect to and with which options. */
export interface Destination {
  /**
   * `ws:`, `wss:`, `http:` or `https:`; without a path, `/ws` is assumed. Several, as a list or
   * separated by commas, for gateways on one journal: if one is gone, the next one is tried at once.
   */
  readonly url: string | readonly string[];
  readonly space: string;
  /** `directed`: only broadcasts and messages addressed to us (O-21). Default `all`. */
  readonly routing?: 'all' | 'directed';
  /** Whether each message comes with its record, to be folded or verified. Default false. */
  readonly records?: boolean;
  /** Tells the gateway that a connection belongs to the same client, not to another one with its name. */
  readonly instance?: string;
}

/**
 * The WebSocket's address. Throws a TypeError for an invalid address.
 *
 * @param after - the last `seq` seen; absent for new messages only
 */
export function socketAddress(
  url: string,
  { space, routing, records, instance }: Omit<Destination, 'url'>,
  after: number | undefined,
): string {
  const address = new URL(url);
  if (!/^(?:wss?|https?):$/.test(address.protocol)) {
    throw new TypeError(
      `The address of a gateway begins with ws:, wss:, http: or https:, not ${address.protocol}`,
    );
  }
  address.protocol = address.protocol.replace('http', 'ws');
  if (address.pathname === '/') address.pathname = '/ws';
  address.hash = '';
  address.searchParams.set('space', space);
  if (instance !== undefined) address.searchParams.set('instance', instance);
  if (routing !== undefined) address.searchParams.set('routing', routing);
  if (records === true) address.searchParams.set('records', 'true');
  if (after !== undefined) address.searchParams.set('after', String(after));
  return address.href;
}

/** Where the same gateway serves HTTP, without a trailing slash. */
export function httpBase(socketUrl: string): string {
  const address = new URL(socketUrl);
  address.protocol = address.protocol.replace('ws', 'http');
  return `${address.origin}${address.pathname.replace(/\/ws$/, '').replace(/\/$/, '')}`;
}
