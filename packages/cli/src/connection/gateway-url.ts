import { listAddresses } from '@proffer/client/http';
import { type Address, formatAddress } from '@proffer/gateway/address';
import { shellWord } from '../terminal/shell.js';
import type { Endpoint } from './endpoint.js';
import { DEFAULT_URL } from './endpoint-options.js';

/** The address by which this machine reaches a gateway that listens here. */
export function gatewayUrl({ host, port }: Address, secure: boolean): string {
  const everywhere: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
  const reached = Object.hasOwn(everywhere, host) ? (everywhere[host] ?? host) : host;
  return `${secure ? 'https' : 'http'}://${formatAddress({ host: reached, port })}`;
}

/** The address of a space's inbox in a gateway's console; the first of several gateways. */
export function consoleAddress(url: string, space: string): string {
  const [first = url] = listAddresses(url);
  return `${first}/console/${encodeURIComponent(space)}/inbox`;
}

/**
 * Options that lead a pasted command in another terminal to the same place; starts with a space unless it is
 * empty. It says that a token is needed, but never contains it.
 */
export function whereOptions({ url, space, given }: Pick<Endpoint, 'url' | 'space' | 'given'>): string {
  if (given.guard === true) return ' --guard';
  const at = url === DEFAULT_URL ? '' : ` --url ${shellWord(url)}`;
  const where = `${at}${inSpace({ space })}`;
  const trusting = given.ca === undefined ? where : `${where} --ca ${shellWord(given.ca)}`;
  return given.token === undefined ? trusting : `${trusting} --token …`;
}

/** The option for the space, if it is not the default; starts with a space unless it is empty. */
export function inSpace({ space }: Pick<Endpoint, 'space'>): string {
  return space === 'main' ? '' : ` --space ${shellWord(space)}`;
}

/**
 * The options that the next command in the same terminal needs again; never the token.
 *
 * @param endpoint - `space`: where the command takes one
 */
export function sameOptions({ given, space: found }: Pick<Endpoint, 'given'> & Partial<Endpoint>): string {
  const { url, space = found === 'main' ? undefined : found, token, as, ca, guard } = given;
  return [
    ...(guard === true ? [' --guard'] : []),
    ...(url === undefined ? [] : [` --url ${shellWord(url)}`]),
    ...(space === undefined ? [] : [` --space ${shellWord(space)}`]),
    ...(token === undefined ? [] : [' --token …']),
    ...(as === undefined ? [] : [` --as ${shellWord(as)}`]),
    ...(ca === undefined ? [] : [` --ca ${shellWord(ca)}`]),
  ].join('');
}
