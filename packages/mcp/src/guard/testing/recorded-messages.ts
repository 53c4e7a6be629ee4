import type { Message } from '@proffer/client';
import { type JsonObject, objectsIn } from '@proffer/core/json';
import type { TestSpace } from '../../testing/space.js';

/** The rule decisions in the history, as a later reader sees them. */
export async function recordedMessages({ url }: TestSpace): Promise<readonly Message[]> {
  const found: Message[] = [];
  for (let after = 0; ; ) {
    const headers = { authorization: 'Bearer reviewer' };
    const response = await fetch(`${url}/spaces/main/feed?after=${after}`, { headers });
    const { messages, seq } = (await response.json()) as { messages: Message[]; seq: number };
    found.push(...messages.filter(({ kind }) => kind === 'chat.message'));
    if (messages.length === 0 || seq <= after) return found;
    after = seq;
  }
}

/** The decisions in such messages, with combined ones expanded. */
export function decisionsIn(messages: readonly Message[]): readonly JsonObject[] {
  return messages
    .flatMap(({ payload }) => objectsIn(payload['decisions']))
    .flatMap(({ calls, ...common }) => {
      const whole = (own: JsonObject): JsonObject => ({ ...common, ...own });
      return calls === undefined ? [common] : objectsIn(calls).map(whole);
    });
}

/** How many decisions such messages report as missing. */
export function missingIn(messages: readonly Message[]): number {
  return messages
    .map(({ payload }) => Number(payload['missing'] ?? 0))
    .reduce((one, other) => one + other, 0);
}
