import { createHmac, createSecretKey, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { failure, type Refusal, type Result, refuse, success } from '@proffer/core';

/** Where the keys are: in a file, or here. */
export type KeySource = { readonly file: string } | { readonly text: string };

/** A key that gateways share. */
interface Key {
  /** The name of the key in messages. */
  readonly id: string;
  readonly secret: KeyObject;
  /** The last sequence that it is accepted for: it was replaced, because others know it. Absent: all. */
  readonly upTo?: number;
}

/** The keys of the gateways on a journal. */
export interface KeyRing {
  /** The one that signs. */
  readonly current: Key;
  /** All that are accepted, by id. */
  readonly accepted: ReadonlyMap<string, Key>;
}

/** The length of a new key, and the least of any, in bytes. */
const LENGTH = 32;

const ENTRY = /^([\w-]{1,64}):([\w-]+)(?::(\d{1,15}))?$/;

/** A new key, as a line of a key file. */
export function createKeyLine(): string {
  return `k-${randomBytes(4).toString('hex')}:${randomBytes(LENGTH).toString('base64url')}`;
}

/** Reads the keys of a journal. Refuses missing, unreadable and malformed ones (`unusable_keys`). */
export async function readKeyRing(source: KeySource | undefined): Promise<Result<KeyRing>> {
  if (source === undefined)
    return failure(unusable('The keys of the gateways are missing: records on NATS are signed with them.'));
  if ('text' in source) return parseKeyRing(source.text, 'the variable or key journal.nats.keys');
  try {
    return parseKeyRing(await readFile(source.file, 'utf8'), source.file);
  } catch (error) {
    const { message } = error as Error;
    return failure(unusable(`The keys of the gateways cannot be read: ${message}.`));
  }
}

/**
 * Parses a key file: one key per line (or comma), `ID:SECRET`, and `ID:SECRET:SEQ` for one that is accepted only up to
 * that `seq`. The first one signs. Lines with `#` are comments.
 *
 * @param where - what it is called in messages
 */
export function parseKeyRing(text: string, where: string): Result<KeyRing> {
  const lines = text.split('\n').filter((line) => !line.trimStart().startsWith('#'));
  const entries = lines.flatMap((line) => line.split(/[\s,]+/)).filter((entry) => entry !== '');
  const accepted = new Map<string, Key>();
  let current: Key | undefined;
  for (const [index, entry] of entries.entries()) {
    const [, id = '', encoded = '', upTo] = ENTRY.exec(entry) ?? [];
    const secret = Buffer.from(encoded, 'base64url');
    const what = `Key ${index + 1} in ${where}`;
    if (id === '')
      return failure(unusable(`${what} is not written as ID:SECRET, with the secret in base64url.`));
    if (secret.length < LENGTH)
      return failure(unusable(`${what} (${id}) has ${secret.length} bytes, and needs ${LENGTH} or more.`));
    if (accepted.has(id)) return failure(unusable(`${what} has the same id as another one, ${id}.`));
    const key = {
      id,
      secret: createSecretKey(secret),
      ...(upTo === undefined ? {} : { upTo: Number(upTo) }),
    };
    accepted.set(id, key);
    current ??= key;
  }
  if (current === undefined) return failure(unusable(`There is no key in ${where}.`));
  if (current.upTo !== undefined)
    return failure(
      unusable(`The first key in ${where} signs, so it cannot have a last seq (${current.upTo}).`),
    );
  return success({ current, accepted });
}

function unusable(message: string): Refusal {
  return refuse('unusable_keys', message);
}

/** Makes and checks message authentication codes (HMAC-SHA256) under the keys that gateways share. */
export interface Macs {
  /** The code of a text, with the id of its key. */
  sign(text: string): string;
  /**
   * Checks a code.
   *
   * @param seq - the place of what it protects, if it has one: a replaced key is accepted only up to some place
   */
  check(text: string, mac: string, seq?: number): MacVerdict;
}

/** What a check found. `unknown key`: nobody here has it; `replaced key`: it is not accepted there any more. */
export type MacVerdict = 'valid' | 'wrong' | 'unknown key' | 'replaced key';

export function createMacs({ current, accepted }: KeyRing): Macs {
  return {
    sign: (text) => `${current.id}:${createHmac('sha256', current.secret).update(text).digest('base64url')}`,
    check(text, mac, seq = Number.POSITIVE_INFINITY) {
      const colon = mac.indexOf(':');
      const key = accepted.get(mac.slice(0, colon));
      if (key === undefined) return 'unknown key';
      const expected = createHmac('sha256', key.secret).update(text).digest();
      const found = Buffer.from(mac.slice(colon + 1), 'base64url');
      if (found.length !== expected.length || !timingSafeEqual(found, expected)) return 'wrong';
      return key.upTo !== undefined && seq > key.upTo ? 'replaced key' : 'valid';
    },
  };
}
