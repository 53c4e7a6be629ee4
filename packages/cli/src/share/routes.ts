/** What a request on the shared listener is for. */
export type SharedRoute =
  /** The console's files, and links that decide for whoever has their key: for anyone. */
  | 'open'
  /** Pending proposals, history and notifications: for paired devices. */
  | 'paired'
  /** Handled by the listener itself: how to sign in, pairing, and signing in with the key of a device. */
  | 'methods'
  | 'pair'
  | 'device';

/**
 * What the network can reach of the gateway: the console and its requests. Nothing else, including routes
 * added later.
 *
 * @param path - without the query
 */
export function sharedRoute(method: string, path: string): SharedRoute | undefined {
  if (method === 'POST') return POSTED[path];
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  if (path === '/' || path === '/console' || path.startsWith('/console/')) return 'open';
  if (path === '/sign-in') return 'methods';
  if (path === '/whoami' || /^\/spaces\/main\/(?:feed|proposals(?:\/[^/]+)?)$/.test(path)) return 'paired';
  return undefined;
}

const POSTED: Readonly<Record<string, SharedRoute>> = {
  '/hooks/sign-in': 'pair',
  '/hooks/device': 'device',
  '/hooks/push': 'paired',
  '/hooks/decision-link': 'open',
};
