/** Where to connect to and as what. */
export interface Destination {
  /**
   * `ws:`, `wss:`, `http:` or `https:`; without a path, `/ws` is assumed. Several, in a list or with commas between
   * them, for gateways on one journal: when one is gone, the next one is tried at once.
   */
  readonly url: string | readonly string[];
  readonly space: string;
  /** `directed`: only broadcasts and what is addressed to us (O-21). Default `all`. */
  readonly routing?: 'all' | 'directed';
  /** Whether each message comes with the record that it left, to be folded or verified. Default false. */
  readonly records?: boolean;
  /** Tells the gateway that a connection belongs to the same client, not to another one with its name. */
  readonly instance?: string;
}

/**
 * The address of the WebSocket. Throws a TypeError for what is not an address.
 *
 * @param after - the last `seq` that was seen; absent for nothing but what comes
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

/** Where the same gateway serves HTTP, without a slash at the end. */
export function httpBase(socketUrl: string): string {
  const address = new URL(socketUrl);
  address.protocol = address.protocol.replace('ws', 'http');
  return `${address.origin}${address.pathname.replace(/\/ws$/, '').replace(/\/$/, '')}`;
}
