import { once } from 'node:events';
import { connect } from 'node:net';

/** Whether something listens at an address. Settles with the problem, or `undefined`. */
export async function canConnect(address: string, signal: AbortSignal): Promise<string | undefined> {
  const { hostname, port, protocol } = new URL(address);
  const socket = connect(
    port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
    hostname.replace(/^\[|\]$/g, ''),
  );
  try {
    await once(socket, 'connect', { signal });
    return undefined;
  } catch (error) {
    return `${new URL(address).host} cannot be reached: ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    socket.destroy();
  }
}
