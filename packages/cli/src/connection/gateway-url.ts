import { type Address, formatAddress } from '@proffer/gateway/address';
import { DEFAULT_URL, type Endpoint } from './endpoint.js';

/** How a gateway that listens at this address is reached from this machine. */
export function gatewayUrl({ host, port }: Address, secure: boolean): string {
  const everywhere: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
  const reached = Object.hasOwn(everywhere, host) ? (everywhere[host] ?? host) : host;
  return `${secure ? 'https' : 'http'}://${formatAddress({ host: reached, port })}`;
}

/** What a command in another terminal has to say to get to the same place; begins with a space if anything. */
export function whereOptions({ url, space }: Pick<Endpoint, 'url' | 'space'>): string {
  const at = url === DEFAULT_URL ? '' : ` --url ${url}`;
  return space === 'main' ? at : `${at} --space ${space}`;
}
