import { ask } from './http.js';
import type { Tokens } from './tokens.js';

/** What a link may bring in its fragment: a code that signs in once, or a key that decides once. */
export type LinkSecret = 'code' | 'decide';

/** Whether a link with such a secret led here. */
export function hasLinkSecret(name: LinkSecret): boolean {
  return fragment().has(name);
}

/** The secret that a link brought. It is taken out of the address, so that neither the history nor a bookmark keeps it. */
export function takeLinkSecret(name: LinkSecret): string | undefined {
  const secret = fragment().get(name);
  if (secret === null) return undefined;
  history.replaceState(null, '', location.pathname + location.search);
  return secret;
}

function fragment(): URLSearchParams {
  return new URLSearchParams(location.hash.slice(1));
}

/** Gives the code for a token. Fails with an AskError that says why not. */
export async function redeem(code: string): Promise<Tokens> {
  const { token } = await ask('/hooks/sign-in', undefined, { code });
  if (typeof token !== 'string') throw new Error('The gateway gave no token for this link.');
  return { token };
}
