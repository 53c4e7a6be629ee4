import { httpBase } from './address.js';
import { readRefusalBody } from './refusal-body.js';
import type { SocketEnd } from './socket.js';

/** Later than any message: the answer is small if we are let in after all. */
const NOTHING_AFTER = '999999999999999';

/** The feed of the space that the address of a WebSocket names: it refuses whom the WebSocket refuses. */
export function feedAddress(socketUrl: string): string {
  const space = new URL(socketUrl).searchParams.get('space') ?? '';
  return `${httpBase(socketUrl)}/spaces/${encodeURIComponent(space)}/feed?after=${NOTHING_AFTER}`;
}

/** Asks the gateway over HTTP what it has against us; nothing if it cannot be reached or has nothing. */
export async function askWhy(url: string, token: string): Promise<Pick<SocketEnd, 'refusal' | 'cause'>> {
  try {
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    const refusal = response.ok ? undefined : readRefusalBody(await response.text());
    return refusal === undefined ? {} : { refusal };
  } catch (cause) {
    return { cause };
  }
}
