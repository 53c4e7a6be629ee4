import { once } from 'node:events';
import { connect } from 'node:net';
import { defined } from '@proffer/core/json';
import type { Delivery } from './channel.js';

/** What is sent. */
export interface Post {
  readonly url: string;
  /** Default POST. */
  readonly method?: 'POST' | 'PATCH';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The response to a successful post; its text is cut to a useful length. */
export type Posted =
  | { readonly ok: true; readonly text: string }
  | (Extract<Delivery, { ok: false }> & { readonly status?: number; readonly text?: string });

/** In characters. */
const MAX_TEXT = 65_536;

/**
 * Posts, and classifies the result: done, retryable (no connection, 408, 425, 429, 5xx), or hopeless.
 * Follows no redirects: a signed message goes only where the operator said.
 */
export async function post({ url, method = 'POST', headers, body, signal, now }: Post): Promise<Posted> {
  try {
    const response = await fetch(url, { method, headers, body, signal, redirect: 'manual' });
    const text = await readLimitedText(response);
    if (response.ok) return { ok: true, text };
    const { status } = response;
    const retryAt = retryTime(response.headers.get('retry-after'), now);
    return {
      ok: false,
      status,
      text,
      why: `${new URL(url).host} answered ${status}`,
      final: !(status === 408 || status === 425 || status === 429 || status >= 500),
      ...defined({ retryAt }),
    };
  } catch (error) {
    return { ok: false, why: `${new URL(url).host} did not answer: ${reasonOf(error)}`, final: false };
  }
}

/** The start of a body; the rest is not downloaded. */
async function readLimitedText({ body }: Response): Promise<string> {
  if (body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (text.length >= MAX_TEXT) break;
  }
  return text.slice(0, MAX_TEXT);
}

/** `Retry-After` is a number of seconds or a date. */
function retryTime(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  const time = /^\d+$/.test(value) ? now + Number(value) * 1_000 : Date.parse(value);
  return Number.isNaN(time) ? undefined : time;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error ? cause.message : error.message;
}

/** Whether something listens at an address. Settles with the problem, or `undefined`. */
export async function canConnect(address: string, signal: AbortSignal): Promise<string | undefined> {
  const { hostname, port, protocol } = new URL(address);
  const socket = connect(
    port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
    hostname.replace(/^\[|\]$/g, ''),
  );
  try {
    await once(socket, 'connect', { signal });
    return undefined;
  } catch (error) {
    return `${new URL(address).host} cannot be reached: ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    socket.destroy();
  }
}
