import { shellWord } from '../terminal/shell.js';
import type { Endpoint } from './endpoint.js';

/** Explains a gateway's refusal of the name that was tried in place of a token. */
export function noToken({ token }: Pick<Endpoint, 'token'>): string {
  return `No token was given. The name "${token}" was tried instead, which works only in dev mode.`;
}

/** How to give a token. */
export function nextWithoutToken({ url }: Pick<Endpoint, 'url'>, name: string): readonly string[] {
  return ['export PROFFER_TOKEN=…   # or --token …', `${name} login --url ${shellWord(url)}   # stores one`];
}
