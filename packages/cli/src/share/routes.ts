/** What a request on the shared listener is for. */
export type SharedRoute =
  /** The console's files and the sign-in: for anyone. */
  | 'open'
  /** Pending proposals and history: for paired devices. */
  | 'paired'
  /** Pairing, handled by the listener itself. */
  | 'pair';

/**
 * What the network can reach of the gateway: the console and its requests. Nothing else, including routes
 * added later.
 *
 * @param path - without the query
 */
export function sharedRoute(method: string, path: string): SharedRoute | undefined {
  if (method === 'POST') return path === '/hooks/sign-in' ? 'pair' : undefined;
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  if (path === '/' || path === '/console' || path.startsWith('/console/') || path === '/sign-in')
    return 'open';
  if (path === '/whoami' || /^\/spaces\/main\/(?:feed|proposals(?:\/[^/]+)?)$/.test(path)) return 'paired';
  return undefined;
}
