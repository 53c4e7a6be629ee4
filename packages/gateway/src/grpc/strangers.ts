import type { ServerHttp2Session } from 'node:http2';

/** Connections on which no token was accepted yet. */
export interface Strangers {
  /** It came, or began a call. The one that has been silent for longest is cut if there are too many. */
  seen(session: ServerHttp2Session): void;
  /** It is a stranger no longer, or gone. */
  forget(session: ServerHttp2Session): void;
}

/**
 * Everybody can open connections, so those of strangers are limited (I-7): over all, not by address,
 * since a proxy has one address for many and an attacker may have many. Who says something now and
 * then, as those who ask for health do, outlasts those who only hold a connection.
 */
export function createStrangers(most: number): Strangers {
  const silentFirst = new Set<ServerHttp2Session>();
  return {
    seen(session) {
      silentFirst.delete(session);
      silentFirst.add(session);
      if (silentFirst.size <= most) return;
      const [longest] = silentFirst;
      if (longest === undefined) return;
      silentFirst.delete(longest);
      longest.destroy();
    },
    forget: (session) => void silentFirst.delete(session),
  };
}
