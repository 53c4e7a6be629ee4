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
