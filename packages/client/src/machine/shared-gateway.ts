import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';

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

/** Who signs the tokens of a machine, and for whom. */
export const GUARDS_ISSUER = 'proffer-guard';
/** Seconds. */
const LIFETIME = 86_400;

/**
 * A token for a participant that asks: a guard, a hook or an agent, under its own name; valid for a
 * day.
 */
export function guardToken({ key }: { readonly key: string }, name: string, now: number): string {
  return signedToken(key, name, { now, role: 'guard' });
}

/**
 * A token valid for a day.
 *
 * @param key - the machine's, as base64url
 * @param role - the configuration of the shared gateway says what it may do
 */
export function signedToken(
  key: string,
  name: string,
  { now, role }: { readonly now: number; readonly role: 'guard' | 'device' },
): string {
  const seconds = Math.floor(now / 1_000);
  const claims = {
    iss: GUARDS_ISSUER,
    aud: GUARDS_ISSUER,
    sub: name,
    iat: seconds,
    exp: seconds + LIFETIME,
    role,
  };
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
  const signature = createHmac('sha256', Buffer.from(key, 'base64url')).update(signed).digest('base64url');
  return `${signed}.${signature}`;
}

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

// Imported by hook commands, whose start-up time every call pays: it imports none of our modules.

/** The default folder of the guards: `guard` in PROFFER_HOME, else in the user's data folder. */
export function guardsFolder(env: Readonly<Record<string, string | undefined>>): string {
  const home = env['PROFFER_HOME'];
  if (home !== undefined && home !== '') return join(home, 'guard');
  const data = env['XDG_DATA_HOME'];
  const base = data === undefined || data === '' ? join(homedir(), '.local', 'share') : data;
  return join(base, 'proffer', 'guard');
}
