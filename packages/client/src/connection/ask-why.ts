import { httpBase } from './address.js';
import { readRefusalBody } from './refusal-body.js';
import type { SocketEnd } from './socket.js';

/**
 * The feed behind a WebSocket's address, from the same position on: it refuses the same clients as
 * the WebSocket.
 */
export function feedAddress(socketUrl: string): string {
  const { searchParams } = new URL(socketUrl);
  const space = encodeURIComponent(searchParams.get('space') ?? '');
  // Without a position there is nothing to miss, and the answer is small if we are accepted after
  // all.
  return `${httpBase(socketUrl)}/spaces/${space}/feed?after=${searchParams.get('after') ?? 'now'}`;
}

/** Asks the gateway over HTTP why it refuses us; nothing if it is unreachable or does not refuse. */
export async function askWhy(url: string, token: string): Promise<Pick<SocketEnd, 'refusal' | 'cause'>> {
  try {
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    const refusal = response.ok ? undefined : readRefusalBody(await response.text());
    return refusal === undefined ? {} : { refusal };
  } catch (cause) {
    return { cause };
  }
}
