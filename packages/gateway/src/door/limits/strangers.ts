/**
 * Bytes of a message that are read from someone who is unknown, or over its rate: enough to name the message
 * in the answer, and no more (I-7).
 */
export const STRANGER_BYTES = 65_536;

/** A connection on which no credential was accepted yet. */
export interface Stranger {
  destroy(): void;
}

/** The current number. */
export interface Strangers<Peer extends Stranger> {
  /** A peer connected, or sent a request. If there are too many, the one silent for longest is cut. */
  readonly seen: (peer: Peer, address?: string) => void;
  /** A peer was authenticated, or is gone. */
  readonly forget: (peer: Peer) => void;
  readonly has: (peer: Peer) => boolean;
}

export interface StrangerLimits {
  /** Over all addresses. */
  readonly total: number;
  /** Per address. Default: the same as over all, since a proxy has one address for many. */
  readonly perAddress?: number;
}

/**
 * Anyone can open connections, so those of strangers are limited (I-7). Above the limit nobody is turned
 * away: the one silent for longest is cut. So a client with a credential gets in, and one that sends
 * something occasionally, such as a health check, outlasts those that only hold a connection.
 */
export function createStrangers<Peer extends Stranger>({
  total,
  perAddress = total,
}: StrangerLimits): Strangers<Peer> {
  const addresses = new Map<Peer, string>();
  // Both have the one silent for longest first.
  const everybody = new Set<Peer>();
  const byAddress = new Map<string, Set<Peer>>();

  function forget(peer: Peer): void {
    const address = addresses.get(peer);
    if (address === undefined) return;
    addresses.delete(peer);
    everybody.delete(peer);
    const others = byAddress.get(address);
    others?.delete(peer);
    if (others?.size === 0) byAddress.delete(address);
  }

  function cutSilent(peers: ReadonlySet<Peer>, most: number): void {
    const [longest] = peers;
    if (peers.size <= most || longest === undefined) return;
    forget(longest);
    longest.destroy();
  }

  return {
    seen(peer, address = '') {
      forget(peer);
      const others = byAddress.get(address) ?? new Set();
      byAddress.set(address, others.add(peer));
      addresses.set(peer, address);
      everybody.add(peer);
      cutSilent(others, perAddress);
      cutSilent(everybody, total);
    },
    forget,
    has: (peer) => addresses.has(peer),
  };
}
