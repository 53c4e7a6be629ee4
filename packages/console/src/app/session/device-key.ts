/** The credential of a paired browser: a key that scripts can use, but nobody can read or copy. */
export interface DeviceKey {
  /** The name of the device at the gateway. */
  readonly name: string;
  readonly key: CryptoKey;
}

const STORE = 'device';
const HERE = 'here';

/** Makes a key for this browser. Rejects with a readable error if the browser keeps none for this page. */
export async function makeKey(): Promise<CryptoKeyPair> {
  if (!window.isSecureContext || typeof indexedDB === 'undefined')
    throw new Error('This browser cannot keep a pairing here. Open the link over https.');
  return await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign']);
}

/** The public part of a key (SPKI), as base64url. */
export async function publicPart({ publicKey }: CryptoKeyPair): Promise<string> {
  return base64url(await crypto.subtle.exportKey('spki', publicKey));
}

/** Signs text, as base64url. */
export async function signText({ key }: DeviceKey, text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  return base64url(await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key, bytes));
}

/** The key of this browser; `undefined` if it is not paired. */
export async function keptKey(): Promise<DeviceKey | undefined> {
  // Most browsers that open the console were never paired: they get no database.
  if (typeof indexedDB === 'undefined' || !(await hasStore())) return undefined;
  return await inStore<DeviceKey | undefined>('readonly', (store) => store.get(HERE));
}

/** Keeps the key until this browser is unpaired. */
export async function keepKey(device: DeviceKey): Promise<void> {
  await inStore('readwrite', (store) => store.put(device, HERE));
  // Browsers may clear what a page did not ask to keep.
  await navigator.storage?.persist?.().catch(() => false);
}

export async function forgetKey(): Promise<void> {
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
