import { httpBase } from './address.js';
import { readRefusalBody } from './refusal-body.js';
import type { SocketEnd } from './socket.js';

/** Later than any message: the answer is small if we are let in after all. */
const NOTHING_AFTER = '999999999999999';

/** Asks the gateway over HTTP what it has against us; nothing if it cannot be reached or has nothing. */
export async function askWhy(
  socketUrl: string,
  token: string,
): Promise<Pick<SocketEnd, 'refusal' | 'cause'>> {
  const space = new URL(socketUrl).searchParams.get('space') ?? '';
  const url = `${httpBase(socketUrl)}/spaces/${encodeURIComponent(space)}/feed?after=${NOTHING_AFTER}`;
  try {
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    const refusal = response.ok ? undefined : readRefusalBody(await response.text());
    return refusal === undefined ? {} : { refusal };
  } catch (cause) {
    return { cause };
  }
}
