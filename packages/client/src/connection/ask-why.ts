import { httpBase } from './address.js';
import { readRefusalBody } from './refusal-body.js';
import type { SocketEnd } from './socket.js';

/** The feed that the address of a WebSocket names, from the same place on: it refuses whom the WebSocket refuses. */
export function feedAddress(socketUrl: string): string {
  const { searchParams } = new URL(socketUrl);
  const space = encodeURIComponent(searchParams.get('space') ?? '');
  // Without a place there is nothing to miss, and the answer is small if we are let in after all.
  return `${httpBase(socketUrl)}/spaces/${space}/feed?after=${searchParams.get('after') ?? 'now'}`;
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
