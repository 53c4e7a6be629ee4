import { isJsonArray, isJsonObject } from '@proffer/core/json';
import { RefusedError } from '../errors.js';
import { type Addresses, askInTurn, httpBase, socketAddress } from './addresses.js';
import type { TokenSource } from './connection.js';
import type { Fetch } from './fetch.js';
import type { Message } from './message.js';
import { readRefusalBody } from './socket.js';

/** Where a history is read, and as whom. */
export interface HistorySource {
  readonly space: string;
  readonly addresses: Addresses;
  readonly token: TokenSource;
  readonly request: Fetch;
  /** Milliseconds within which an answer must start, and then be complete. Default 10,000. */
  readonly answerWithin?: number;
}

/** Reads every message about a proposal over HTTP, oldest first. Fails if the gateway does not answer. */
export async function readProposalHistory(
  { space, addresses, token, request, answerWithin = 10_000 }: HistorySource,
  proposal: string,
): Promise<readonly Message[]> {
  const path = `/spaces/${encodeURIComponent(space)}/proposals/${encodeURIComponent(proposal)}`;
  const bearer = typeof token === 'string' ? token : await token();
  return await askInTurn(addresses, isGone, async (address) => {
    const base = httpBase(socketAddress(address, { space }, undefined));
    const ends = new AbortController();
    const silent = new Error(`No response from ${base} within ${answerWithin / 1000} s.`);
    const wait = () => setTimeout(() => ends.abort(silent), answerWithin);
    let timer = wait();
    try {
      const headers = { authorization: `Bearer ${bearer}` };
      const response = await request(base + path, { headers, signal: ends.signal });
      clearTimeout(timer);
      timer = wait();
      const text = await response.text();
      if (!response.ok) throw refusedWith(response.status, text);
      return messagesIn(JSON.parse(text) as { history?: unknown });
    } finally {
      clearTimeout(timer);
    }
  });
}

function messagesIn({ history }: { history?: unknown }): readonly Message[] {
  if (!isJsonArray(history)) return [];
  return history.flatMap((item) => (isJsonObject(item) ? [item['message'] as Message] : []));
}

function isGone(error: unknown): boolean {
  return !(error instanceof RefusedError) || error.code === 'unavailable';
}

function refusedWith(status: number, text: string): Error {
  const refusal = readRefusalBody(text);
  if (refusal === undefined) return new Error(`HTTP status ${status}`);
  return new RefusedError(refusal.code, refusal.message, refusal.details);
}
