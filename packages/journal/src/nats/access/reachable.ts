import { connect } from 'node:net';

/** How long a server may take to accept a connection, in milliseconds. */
const PATIENCE = 1_000;

/** How many of these servers accept connections. */
export async function countReachable(servers: readonly string[]): Promise<number> {
  const reached = await Promise.all(servers.map(isReachable));
  return reached.filter(Boolean).length;
}

/** @param server - `nats://HOST:PORT`, `tls://HOST:PORT` or `HOST:PORT`; the port may be left out */
async function isReachable(server: string): Promise<boolean> {
  const address = server.includes('://') ? server : `nats://${server}`;
  if (!URL.canParse(address)) return false;
  const { hostname, port } = new URL(address);
  return await new Promise((resolve) => {
    const host = hostname.replace(/^\[|\]$/g, '');
    const socket = connect({ host, port: port === '' ? 4222 : Number(port), timeout: PATIENCE });
    const conclude = (isOpen: boolean) => () => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', conclude(true)).once('error', conclude(false)).once('timeout', conclude(false));
  });
}
