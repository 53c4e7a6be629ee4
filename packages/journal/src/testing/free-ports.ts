import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems hand out on their own, so that none is taken while its server is restarted. */
const FIRST = 16_000;
const COUNT = 16_000;

/** Each process begins elsewhere, so that two of them do not try the same one at the same time. */
let next = (process.pid * 37) % COUNT;

/** Local ports that are unused, and stay unused until somebody asks for them by number. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    next = (next + 1) % COUNT;
    if (await isFree(FIRST + next)) ports.push(FIRST + next);
  }
  return ports;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
