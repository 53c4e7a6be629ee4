import { readFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { guardToken } from './guard-token.js';

/**
 * In the guards' folder: the last port of their gateway, and the key that signs the tokens of those
 * who ask.
 */
export const PORT_FILE = 'port';
export const KEY_FILE = 'guards.key';

/** The names of those who decide on this machine: a person, and rules. */
const RESERVED: ReadonlySet<string> = new Set(['reviewer', 'steward']);

/** Whether an agent may use a name: it names a file and a participant, and must not be a reviewer's. */
export function checkAskingName(name: string): 'ok' | 'malformed' | 'reserved' {
  if (!/^[A-Za-z0-9_][\w.-]{0,63}$/.test(name)) return 'malformed';
  return RESERVED.has(name.toLowerCase()) ? 'reserved' : 'ok';
}

/**
 * How to connect to the gateway that this machine's guards and hooks share, for a participant that
 * asks.
 */
export interface SharedGateway {
  readonly url: string;
  readonly space: string;
  readonly token: () => string;
}

/**
 * The gateway that this machine's guards and hooks share, if it is running.
 *
 * @param folder - the guards' folder
 * @param name - to ask under
 */
export async function findSharedGateway(folder: string, name: string): Promise<SharedGateway | undefined> {
  const port = Number(readIfThere(join(folder, PORT_FILE)) ?? Number.NaN);
  const key = readIfThere(join(folder, KEY_FILE));
  if (key === undefined || !Number.isInteger(port) || port <= 0 || !(await listens(port))) return undefined;
  return {
    url: `http://127.0.0.1:${port}`,
    space: 'main',
    token: () => guardToken({ key }, name, Date.now()),
  };
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1');
    const end = (isThere: boolean) => () => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('connect', end(true));
    socket.once('error', end(false));
  });
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}
