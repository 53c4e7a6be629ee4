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
