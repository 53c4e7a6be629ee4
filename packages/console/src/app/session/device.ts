import { defined, type JsonObject, textOf } from '@proffer/core/json';
import { AskError, ask } from './http.js';
import type { Tokens } from './tokens.js';

/** The credential of a paired browser: a key that scripts can use, but nobody can read or copy. */
interface DeviceKey {
  /** The name of the device at the gateway. */
  readonly name: string;
  readonly key: CryptoKey;
}

const STORE = 'device';
const HERE = 'here';

/** Makes a key for this browser. Rejects with a readable error if the browser keeps none for this page. */
async function makeKey(): Promise<CryptoKeyPair> {
  if (!window.isSecureContext || typeof indexedDB === 'undefined')
    throw new Error('This browser cannot save a pairing on this page. Open the link over https.');
  return await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign']);
}

/** The public part of a key (SPKI), as base64url. */
async function publicPart({ publicKey }: CryptoKeyPair): Promise<string> {
  return base64url(await crypto.subtle.exportKey('spki', publicKey));
}

/** Signs text, as base64url. */
async function signText({ key }: DeviceKey, text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  return base64url(await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key, bytes));
}

/** The key of this browser; `undefined` if it is not paired. */
async function keptKey(): Promise<DeviceKey | undefined> {
  // Most browsers that open the console were never paired: they get no database.
  if (typeof indexedDB === 'undefined' || !(await hasStore())) return undefined;
  return await inStore<DeviceKey | undefined>('readonly', (store) => store.get(HERE));
}

/** Keeps the key until this browser is unpaired. */
async function keepKey(device: DeviceKey): Promise<void> {
  await inStore('readwrite', (store) => store.put(device, HERE));
  // Browsers may clear what a page did not ask to keep.
  await navigator.storage?.persist?.().catch(() => false);
}

async function forgetKey(): Promise<void> {
  await inStore('readwrite', (store) => store.delete(HERE));
}

async function hasStore(): Promise<boolean> {
  const known = await indexedDB.databases?.();
  return known?.some(({ name }) => name === STORE) ?? true;
}

function inStore<Value>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(STORE, 1);
    opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(STORE));
    opening.addEventListener('error', () => reject(opening.error));
    opening.addEventListener('success', () => {
      const transaction = opening.result.transaction(STORE, mode);
      const request = work(transaction.objectStore(STORE));
      const end = (settle: () => void): void => {
        opening.result.close();
        settle();
      };
      transaction.addEventListener('complete', () => end(() => resolve(request.result as Value)));
      transaction.addEventListener('abort', () => end(() => reject(transaction.error)));
    });
  });
}

function base64url(buffer: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

/** How long before its end a token is renewed, in milliseconds. */
const EARLY = 60_000;
const MAX_CHALLENGES = 3;
const HOOK = '/hooks/device';

/**
 * Exchanges the code of a link for a token. Where phones are paired, the browser then keeps a key, and signs
 * in with it from now on. Rejects with an error that says why not.
 */
export async function redeem(code: string): Promise<Tokens> {
  const pair = await makeKey().catch((error: Error) => error);
  const key = pair instanceof Error ? undefined : await publicPart(pair);
  const answer = await ask('/hooks/sign-in', undefined, { code, ...defined({ key }) });
  const { token, device } = answer;
  if (typeof token !== 'string')
    throw new Error('The gateway gave no token for this link. Get a new link and try again.');
  if (typeof device !== 'string') return { token };
  if (pair instanceof Error) throw pair;
  const kept = { name: device, key: pair.privateKey };
  await keepKey(kept);
  // From now on it shows a page that tries again while the computer is away. Where the certificate is not
  // trusted, browsers allow no worker.
  void import('../push/support.js').then(({ worker }) => worker()).catch(() => {});
  return tokensFrom(answer, kept);
}

/** Signs in with the key of this browser; `undefined` if it is not paired. Rejects with an AskError if it was revoked. */
export async function signInPaired(): Promise<Tokens | undefined> {
  const kept = await keptKey();
  return kept === undefined ? undefined : await signInWith(kept);
}

/** Unpairs this browser, if it is paired. */
export async function unpair(token: string): Promise<void> {
  if ((await keptKey()) === undefined) return;
  await forgetKey();
  await ask(HOOK, token, { forget: true });
}

async function signInWith(kept: DeviceKey): Promise<Tokens> {
  let answer = await ask(HOOK, undefined, {});
  // A computer that restarted in between sets another challenge.
  for (let round = 0; round < MAX_CHALLENGES && answer.token === undefined; round++) {
    const { challenge } = answer;
    const signature = await signText(kept, `proffer device sign-in\n${kept.name}\n${textOf(challenge)}`);
    answer = await ask(HOOK, undefined, { device: kept.name, challenge, signature });
  }
  if (answer.token === undefined)
    throw new AskError('The computer did not accept the sign-in. Reload the page.');
  return tokensFrom(answer, kept);
}

function tokensFrom({ token, expiresIn }: JsonObject, kept: DeviceKey): Tokens {
  return {
    token: textOf(token),
    isMemoryOnly: true,
    renewAt: Date.now() + Number(expiresIn) * 1_000 - EARLY,
    renew: () => signInWith(kept),
  };
}
