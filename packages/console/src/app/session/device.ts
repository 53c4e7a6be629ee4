import { defined, type JsonObject, textOf } from '@proffer/core/json';
import { type DeviceKey, forgetKey, keepKey, keptKey, makeKey, publicPart, signText } from './device-key.js';
import { AskError, ask } from './http.js';
import type { Tokens } from './tokens.js';

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
  if (typeof token !== 'string') throw new Error('The gateway gave no token for this link.');
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
