import { ask } from './http.js';
import type { Tokens } from './tokens.js';

/** The secret in a link's fragment: a code that signs in once, or a key that decides once. */
export type LinkSecret = 'code' | 'decide';

/** Whether the page was opened by a link with such a secret. */
export function hasLinkSecret(name: LinkSecret): boolean {
  return fragment().has(name);
}

/** The secret of a link. It is removed from the URL, so that neither the history nor a bookmark keeps it. */
export function takeLinkSecret(name: LinkSecret): string | undefined {
  const secret = fragment().get(name);
  if (secret === null) return undefined;
  history.replaceState(null, '', location.pathname + location.search);
  return secret;
}

function fragment(): URLSearchParams {
  return new URLSearchParams(location.hash.slice(1));
}

/** Exchanges the code for a token. Rejects with an AskError that says why not. */
export async function redeem(code: string): Promise<Tokens> {
  const { token } = await ask('/hooks/sign-in', undefined, { code });
  if (typeof token !== 'string') throw new Error('The gateway gave no token for this link.');
  return { token };
}
