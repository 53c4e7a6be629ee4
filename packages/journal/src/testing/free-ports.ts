import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Below the ports that systems hand out on their own, so that none is taken while its server is restarted. */
const FIRST = 16_000;
const BLOCKS = 32;
const BLOCK = 500;

/**
 * Each process has a block of ports to itself as long as it listens on the first of them. Otherwise two that look at
 * the same time both find a port free.
 */
let block: Promise<number> | undefined;
let next = 0;

/** Local ports that are unused, and stay unused until somebody asks for them by number. */
export async function freePorts(count: number): Promise<readonly number[]> {
  block ??= takeBlock();
  const first = await block;
  const ports: number[] = [];
  while (ports.length < count) {
    next = (next % (BLOCK - 1)) + 1;
    const port = first + next;
    const server = await listen(port);
    if (server === undefined) continue;
    server.close();
    await once(server, 'close');
    ports.push(port);
  }
  return ports;
}

async function takeBlock(): Promise<number> {
  for (let index = process.pid; index < process.pid + BLOCKS; index++) {
    const first = FIRST + (index % BLOCKS) * BLOCK;
    const server = await listen(first);
    if (server === undefined) continue;
    server.unref();
    return first;
  }
  throw new Error(`All ports from ${FIRST} to ${FIRST + BLOCKS * BLOCK} are in use.`);
}

async function listen(port: number): Promise<Server | undefined> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return server;
  } catch {
    return undefined;
  }
}
