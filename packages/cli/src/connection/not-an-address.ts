import { type CommandFailure, usageFailure } from '../command-failure.js';
import { DEFAULT_URL } from './endpoint-options.js';
import { suggestedOrigin } from './suggested-address.js';

/** The position of the address, from 1, and the number of addresses. */
export interface Position {
  readonly number: number;
  readonly of: number;
}

/** What is wrong with an address. It is named by its position and not repeated, since it may contain a secret. */
export function notAnAddress(text: string, { number, of }: Position): CommandFailure {
  const which = of > 1 ? `Part ${number} of ${of}` : 'This';
  const { why, instead } = faultIn(text);
  return usageFailure(`${which} is not the address of a gateway: ${why}.`, [
    of > 1 ? `${instead ?? 'http://HOST:PORT'}   # in its place` : `--url ${instead ?? DEFAULT_URL}`,
  ]);
}

function faultIn(text: string): { readonly why: string; readonly instead?: string | undefined } {
  if (text === '') return { why: 'it is empty' };
  if (/[;|\s]+[a-z]+:\/\//i.test(text))
    return {
      why: 'several addresses need commas between them',
      instead: 'http://HOST:PORT,http://HOST:PORT',
    };
  // Short enough not to be a secret.
  const [start, scheme = ''] = /^([a-z]{1,8}):\/\//i.exec(text) ?? [];
  if (start === undefined)
    return { why: 'it must begin with http:// or https://', instead: suggestedOrigin(text) };
  if (/^(?:https?|wss?)$/i.test(scheme))
    return { why: `after ${start} there must be a host, and a port up to 65535 if there is one` };
  return {
    why: `it begins with ${start} instead of http:// or https://`,
    instead: suggestedOrigin(text.slice(start.length)),
  };
}
