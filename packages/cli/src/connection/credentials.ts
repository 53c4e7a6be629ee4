import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { listAddresses } from '@proffer/client/http';
import { replaceFile } from '@proffer/client/machine';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '@proffer/core/json';
import { CommandFailure, EXIT, usageFailure } from '../command-failure.js';
import { type Environment, ownName, shellWord } from '../terminal/shell.js';

/** What `login` stores about one gateway. */
export interface Credential {
  readonly token: string;
  /** Whose it was when it was stored. */
  readonly participant?: string;
  /** The space to enter when none is named. */
  readonly space?: string;
  /** A file with certificates to trust. */
  readonly ca?: string;
}

/** The file with the credentials: in PROFFER_HOME, else in the user's config folder. */
export function credentialsFile(env: Environment): string {
  const { PROFFER_HOME: home = '', XDG_CONFIG_HOME: config = '' } = env;
  if (home !== '') return join(home, 'credentials.json');
  const base = config === '' ? join(env['HOME'] ?? homedir(), '.config') : config;
  return join(base, 'proffer', 'credentials.json');
}

/**
 * The credential for a gateway, or for several with the same token; `undefined` if nobody signed in there. A
 * token never goes to a gateway that it was not stored for: if only some have it, the command ends.
 */
export function credentialFor(url: string, env: Environment): Credential | undefined {
  const stored = readCredentials(credentialsFile(env));
  const found = listAddresses(url).map((address) => ({ address, credential: asCredential(stored[address]) }));
  const known = found.find(({ credential }) => credential !== undefined);
  if (known?.credential === undefined) return undefined;
  const { token } = known.credential;
  const other = found.find(({ credential }) => credential?.token !== token);
  if (other === undefined) return known.credential;
  const lacks = other.credential === undefined ? 'none' : 'another one';
  const name = ownName(process.argv[1] ?? '', env);
  throw usageFailure(`A token is stored for ${known.address}, but ${lacks} for ${other.address}.`, [
    `${name} login --url ${shellWord(url)}   # stores one for all of them`,
    'export PROFFER_TOKEN=…   # or --token …',
  ]);
}

/** Whose tokens are stored for a gateway, or for several; without those of whom nothing is known. */
export function storedParticipants(url: string, env: Environment): readonly string[] {
  const stored = readCredentials(credentialsFile(env));
  return [
    ...new Set(listAddresses(url).flatMap((address) => asCredential(stored[address])?.participant ?? [])),
  ];
}

function asCredential(stored: JsonValue | undefined): Credential | undefined {
  if (!isJsonObject(stored)) return undefined;
  const { token, participant, space, ca } = stored;
  if (typeof token !== 'string') return undefined;
  return {
    token,
    ...(typeof participant === 'string' ? { participant } : {}),
    ...(typeof space === 'string' ? { space } : {}),
    ...(typeof ca === 'string' ? { ca } : {}),
  };
}

/**
 * Stores a credential for a gateway, or for each of several, replacing the old one; without one, deletes it.
 * Returns whether there was one.
 */
export function keepCredential(url: string, credential: Credential | undefined, env: Environment): boolean {
  const file = credentialsFile(env);
  const addresses = listAddresses(url);
  const before = readCredentials(file);
  const others = Object.entries(before).filter(([address]) => !addresses.includes(address));
  const kept = credential === undefined ? [] : addresses.map((address) => [address, { ...credential }]);
  const gateways = Object.fromEntries([...others, ...kept]) as JsonObject;
  if (Object.keys(gateways).length === 0) rmSync(file, { force: true });
  else writeCredentials(file, gateways);
  return addresses.some((address) => before[address] !== undefined);
}

function writeCredentials(file: string, gateways: JsonObject): void {
  writeOwnFile(file, { version: 1, gateways });
}

function readCredentials(file: string): JsonObject {
  const stored = readOwnFile(file);
  if (stored === undefined) return {};
  const { gateways } = stored;
  if (isJsonObject(gateways)) return gateways;
  throw unusable(file, 'it is not a file that login wrote', [`rm ${file}   # then sign in again`]);
}

/** Writes a file with secrets that only its owner can read. */
export function writeOwnFile(file: string, content: JsonObject): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    replaceFile(file, `${JSON.stringify(content, undefined, 2)}\n`);
  } catch (error) {
    throw unusable(file, error instanceof Error ? error.message : String(error), []);
  }
}

/** The content of such a file: empty if it is no JSON object, `undefined` if it does not exist. Refused if others can read it. */
export function readOwnFile(file: string): JsonObject | undefined {
  let text: string;
  try {
    // On Windows, the file mode does not say who may read it.
    if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0)
      throw unusable(file, 'others can read it', [`chmod 600 ${file}`]);
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unusable(file, error instanceof Error ? error.message : String(error), []);
  }
  const parsed = parseJson(text);
  return parsed.ok && isJsonObject(parsed.value) ? parsed.value : {};
}

function unusable(file: string, why: string, next: readonly string[]): CommandFailure {
  return new CommandFailure({
    exit: EXIT.usage,
    code: 'unusable_credentials',
    message: `The secrets in ${file} cannot be used: ${why}.`,
    next,
  });
}
