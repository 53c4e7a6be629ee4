import type { JsonObject } from '../../json/json.js';
import type { Recognisable, Recorded } from '../records.js';
import type { SpaceState } from '../space/space.js';

/** A public key that a participant signs decisions with (O-49). Times in milliseconds since 1970. */
export type RegisteredKey = {
  /** The credential id of a passkey; of any other key the key itself, in base64url. Unique in the space. */
  readonly id: string;
  readonly type: 'passkey' | 'ed25519';
  /** The public key as a JWK (RFC 7517). */
  readonly jwk: JsonObject;
  /** The domain that a passkey is valid for. */
  readonly domain?: string;
  /** What its owner calls it. */
  readonly label?: string;
  readonly at: number;
  /** On whose word it was registered: the id of an earlier key, or the operator whose code was used. */
  readonly vouched: { readonly key: string } | { readonly code: string };
  /** Absent while it is in force. */
  readonly revoked?: { readonly by: string; readonly at: number };
};

/** The new key of a registration, once the host has checked that its sender has the private key. */
export type NewKey = Omit<RegisteredKey, 'at' | 'vouched' | 'revoked'>;

/** A code with which a participant may register one key, once (O-49). */
export type KeyCode = {
  /** SHA-256, in hexadecimal. */
  readonly hash: string;
  readonly by: string;
  readonly at: number;
  readonly until: number;
};

/** A participant's keys, and the code that may add one. */
export type OwnKeys = {
  /** Revoked ones too, so that it can be said why they no longer count. */
  readonly keys: readonly RegisteredKey[];
  readonly code?: KeyCode;
};

type AboutKeys = Recognisable & { readonly participant: string; readonly audience: readonly string[] };

/** An operator allowed a participant to register a key (O-49). */
export type KeyAllowed = Recorded<
  'key_allowed',
  AboutKeys & { readonly hash: string; readonly until: number }
>;
export type KeyRegistered = Recorded<
  'key_registered',
  AboutKeys & { readonly key: Omit<RegisteredKey, 'at'> }
>;
export type KeyRevoked = Recorded<'key_revoked', AboutKeys & { readonly key: string }>;

export type KeyRecord = KeyAllowed | KeyRegistered | KeyRevoked;

/** How many keys of a participant may be in force, and how many revoked ones are remembered. */
export const MAX_KEYS = 20;

/** A participant's keys after a record about them. */
export function evolveKeys(ring: OwnKeys | undefined, record: KeyRecord): OwnKeys {
  const { keys = [], code } = ring ?? {};
  const kept = code === undefined ? {} : { code };
  const { time: at, principal: by } = record;
  switch (record.type) {
    case 'key_allowed': {
      const { hash, until } = record.facts;
      return { keys, code: { hash, by, at, until } };
    }
    case 'key_registered': {
      const key = { ...record.facts.key, at };
      return { keys: [...keys, key], ...('code' in key.vouched ? {} : kept) };
    }
    case 'key_revoked': {
      const found = keys.find(({ id }) => id === record.facts.key);
      const ended = found === undefined ? [] : [{ ...found, revoked: { by, at } }];
      const all = [...keys.filter((key) => key !== found), ...ended];
      const forgotten = new Set(all.filter(({ revoked }) => revoked !== undefined).slice(0, -MAX_KEYS));
      return { keys: all.filter((key) => !forgotten.has(key)), ...kept };
    }
  }
}

/** The keys that a participant can sign with now, oldest first. */
export function keysInForce({ participants }: SpaceState, name: string): readonly RegisteredKey[] {
  return keysOf(participants.get(name)).filter(({ revoked }) => revoked === undefined);
}

const NO_KEYS: readonly RegisteredKey[] = [];

export function keysOf(participant: { readonly ring?: OwnKeys | undefined } | undefined): OwnKeys['keys'] {
  return participant?.ring?.keys ?? NO_KEYS;
}

/** A key as it is shown to people and programs. */
export function viewKey({ id, type, domain, label, at, vouched }: RegisteredKey): JsonObject {
  return {
    id,
    type,
    at,
    vouched,
    ...(domain === undefined ? {} : { domain }),
    ...(label === undefined ? {} : { label }),
  };
}

/** Everyone's keys in force, as they are shown. */
export function registeredKeys(space: SpaceState): readonly JsonObject[] {
  return [...space.participants.keys()].flatMap((participant) =>
    keysInForce(space, participant).map((key) => Object.assign({ participant }, viewKey(key))),
  );
}
