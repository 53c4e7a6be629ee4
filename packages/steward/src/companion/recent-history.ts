import { setImmediate as nextTurn } from 'node:timers/promises';
import { PROTOCOL } from '@proffer/core';
import type { JsonObject } from '@proffer/core/json';
import type { SpaceRequest } from '@proffer/gateway';
import type { HistoryEntry } from '../history/past-proposals.js';

/** How many messages a question looks back: its cost does not grow with the history (I-8). */
export const MAX_MESSAGES = 5_000;

/** Messages processed before the gateway's other work gets a turn. */
const TURN = 200;

/** Longer calls are left out, since a regex may take long on them; so are other long messages. */
const LONGEST_CALL = 16_384;
const LONGEST_MESSAGE = 262_144;

/** The maximum number of characters considered; the oldest are dropped (I-7). */
const MAX_CHARACTERS = 16_777_216;

/** The records that rules are tested against. Others matter only if they report decisions. */
const CALLS: ReadonlySet<string> = new Set(['proposed', 'fulfilled']);
const REMARKS: ReadonlySet<string> = new Set(['rejected', 'status_reported', 'announced']);

/** What messages report: what rules decided, and what was only watched. */
const REPORTS = ['decisions', 'observed'];

/** The end of a history, as far as the caller may see it. */
export interface RecentHistory {
  readonly entries: readonly HistoryEntry[];
  /** How many calls are too long to consider. */
  readonly skipped: number;
  /** How much history it covers, for people. */
  readonly extent: JsonObject;
}

/**
 * Reads it. Tools that are served now may have been announced before it starts; these announcements
 * are put in front.
 */
export async function readRecent({ seq, history, participants }: SpaceRequest): Promise<RecentHistory> {
  const after = Math.max(0, seq - MAX_MESSAGES);
  const entries: HistoryEntry[] = [];
  for (const { name, serves } of participants()) {
    if (serves.tools === undefined) continue;
    const envelope = {
      protocol: PROTOCOL,
      id: '',
      ts: '',
      from: name,
      kind: 'mcpx.announce.tools',
      payload: { tools: serves.tools },
    } as const;
    entries.push({ type: 'announced', time: 0, principal: name, envelope });
  }
  const read: ({ readonly entry: HistoryEntry; readonly size: number } | undefined)[] = [];
  let [first, size, messages, skipped] = [0, 0, 0, 0];
  for await (const { type, time, principal, envelope, facts } of history(after)) {
    if (++messages % TURN === 0) await nextTurn();
    const isCall = CALLS.has(type);
    if (!isCall && !REMARKS.has(type) && !REPORTS.some((key) => envelope.payload[key] !== undefined))
      continue;
    const length = JSON.stringify(envelope.payload).length;
    if (length > (isCall ? LONGEST_CALL : LONGEST_MESSAGE)) {
      if (type === 'proposed') skipped += 1;
      continue;
    }
    read.push({ entry: { type, time, principal, envelope, facts }, size: length });
    for (size += length; size > MAX_CHARACTERS; first++) {
      size -= read[first]?.size ?? 0;
      read[first] = undefined;
    }
  }
  for (const one of read) if (one !== undefined) entries.push(one.entry);
  return { entries, skipped, extent: { after, to: seq, messages } };
}
