import { PROTOCOL } from '@proffer/core';
import type { JsonObject } from '@proffer/core/json';
import type { SpaceRequest } from '@proffer/gateway';
import type { HistoryEntry } from '../history/history-entry.js';
import type { PastProposal } from '../history/past-proposal.js';
import { pastProposals } from '../history/past-proposals.js';

/** How far back a question looks, in messages: what it costs does not grow with the history (I-8). */
export const MOST_MESSAGES = 5_000;

/** Calls with more characters of arguments are not held against rules: a regex may take its time with them. */
const LONGEST_ARGUMENTS = 16_384;

/** The end of a history, as whoever asks may see it. */
export interface RecentHistory {
  readonly entries: readonly HistoryEntry[];
  /** How much of it there is, for people. */
  readonly extent: JsonObject;
}

/** Reads it. What is served now was perhaps announced before it begins, and is put in front. */
export async function readRecent({ seq, history, participants }: SpaceRequest): Promise<RecentHistory> {
  const after = Math.max(0, seq - MOST_MESSAGES);
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
  const announced = entries.length;
  for await (const { type, time, principal, envelope, facts } of history(after)) {
    entries.push({ type, time, principal, envelope, facts });
  }
  return { entries, extent: { after, to: seq, messages: entries.length - announced } };
}

/** The proposals in it that rules can be held against, and how many are too long for that. */
export function proposalsIn({ entries }: RecentHistory): {
  readonly past: readonly PastProposal[];
  readonly skipped: number;
} {
  const all = pastProposals(entries);
  const past = all.filter(({ call }) => JSON.stringify(call.arguments).length <= LONGEST_ARGUMENTS);
  return { past, skipped: all.length - past.length };
}
