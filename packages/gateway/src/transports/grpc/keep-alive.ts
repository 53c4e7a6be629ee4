import type { ServerHttp2Session } from 'node:http2';

/** The ping interval, in milliseconds. A peer that does not answer in time is cut. */
export const INTERVAL = 30_000;

/** Finds connections whose peer disappeared: otherwise they would be written to forever. */
export function keepAlive(sessions: ReadonlySet<ServerHttp2Session>): { stop(): void } {
  const silent = new WeakSet<ServerHttp2Session>();
  const timer = setInterval(() => {
    for (const session of sessions) {
      // The session ended, and closes in a moment. A ping would throw, and end the process.
      if (session.destroyed) continue;
      if (silent.has(session)) {
        session.destroy();
        continue;
      }
      silent.add(session);
      session.ping((error) => {
        if (error === null) silent.delete(session);
      });
    }
  }, INTERVAL);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
