/** What a request on the shared listener is for. */
export type SharedRoute =
  /** The console's files and the sign-in: for anyone. */
  | 'open'
  /** What is pending and what happened: for paired devices. */
  | 'paired'
  /** Pairing, answered by the listener itself. */
  | 'pair';

/**
 * What of the gateway is reachable from the network: the console, and the requests that it makes. Nothing else is,
 * including whatever the gateway may serve in the future.
 *
 * @param path - without what is behind `?`
 */
export function sharedRoute(method: string, path: string): SharedRoute | undefined {
  if (method === 'POST') return path === '/hooks/sign-in' ? 'pair' : undefined;
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  if (path === '/' || path === '/console' || path.startsWith('/console/') || path === '/sign-in')
    return 'open';
  if (path === '/whoami' || /^\/spaces\/main\/(?:feed|proposals(?:\/[^/]+)?)$/.test(path)) return 'paired';
  return undefined;
}
