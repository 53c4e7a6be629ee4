/**
 * Bytes of a message that are read of someone who is not known, or has sent too much: enough to name the message in the
 * answer, and no more (I-7).
 */
export const STRANGER_BYTES = 65_536;

/** A connection on which no credential was accepted yet. */
export interface Stranger {
  destroy(): void;
}

/** Those that are there now. */
export interface Strangers<Peer extends Stranger> {
  /** It came, or asked for something. The one that has been silent for longest is cut if there are too many. */
  readonly seen: (peer: Peer, address?: string) => void;
  /** It is no longer a stranger, or it is gone. */
  readonly forget: (peer: Peer) => void;
  readonly has: (peer: Peer) => boolean;
}

export interface StrangerLimits {
  /** Over all addresses. */
  readonly total: number;
  /** Of one address. Default as many as over all: a proxy has one address for many. */
  readonly perAddress?: number;
}

/**
 * Anyone can open connections, so those of strangers are limited (I-7). Above the limit no one is turned away: the one
 * that was silent the longest is cut. So a client with a credential gets in, and one that sends something now and then,
 * such as a health check, outlasts those that only hold a connection.
 */
export function createStrangers<Peer extends Stranger>({
  total,
  perAddress = total,
}: StrangerLimits): Strangers<Peer> {
  const addresses = new Map<Peer, string>();
  // Both have the one that was silent for longest first.
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
