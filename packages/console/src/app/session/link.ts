import { ask } from './http.js';
import type { Tokens } from './tokens.js';

/** Whether a link with a code led here. */
export function hasLinkCode(): boolean {
  return new URLSearchParams(location.hash.slice(1)).has('code');
}

/**
 * The code that a link brought in its fragment, for signing in once. It is taken out of the address, so that neither
 * the history nor a bookmark keeps it.
 */
export function takeLinkCode(): string | undefined {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (code === null) return undefined;
  history.replaceState(null, '', location.pathname + location.search);
  return code;
}

/** Gives the code for a token. Fails with an AskError that says why not. */
export async function redeem(code: string): Promise<Tokens> {
  const { token } = await ask('/hooks/sign-in', undefined, { code });
  if (typeof token !== 'string') throw new Error('The gateway gave no token for this link.');
  return { token };
}
