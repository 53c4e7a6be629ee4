import { observedIn } from '@proffer/core/operations';
import type { WatchCounts } from '@proffer/core/words';
import type { HistoryEntry } from '../history/history-entry.js';
import { type AnsweringRule, answeringRules } from './answering-rules.js';
import { rulesForGuards, type WatchedCall } from './guarded-calls.js';

/** What was watched in a history, and which rules would have saved questions. */
export interface WatchSummary extends WatchCounts {
  /** When the last call was watched, in milliseconds since 1970. */
  readonly until: number;
  /** The rules that answer most first. */
  readonly suggested: readonly AnsweringRule[];
}

/** How often something must have been watched before a rule is suggested for it. */
const MIN = 3;

/** The summary of a history; `undefined` if nothing was watched in it. Pure. Only own messages count. */
export function summarizeWatched(
  entries: Iterable<HistoryEntry>,
  { since = 0, min = MIN }: { readonly since?: number; readonly min?: number } = {},
): WatchSummary | undefined {
  const watched: WatchedCall[] = [];
  for (const { time, principal, envelope } of entries) {
    if (envelope.kind !== 'chat.message') continue;
    for (const call of observedIn(envelope.payload, time))
      if (call.at >= since) watched.push({ participant: principal, call });
  }
  const calls = watched.map(({ call }) => call);
  const [first] = calls;
  if (first === undefined) return undefined;
  const asked = calls.filter(({ would }) => would === 'ask');
  const byParts = answeringRules(asked, min);
  const byArguments = rulesForGuards(watched, min);
  const suggested = [...byParts.rules, ...byArguments].toSorted(
    (one, other) => other.calls.size - one.calls.size,
  );
  const answered = new Set([
    ...byParts.answered,
    ...byArguments.flatMap(({ calls: some }) => Array.from(some)),
  ]);
  const allowed = calls.filter(({ would }) => would === 'allow');
  const reads = allowed.filter((call) => call.reads === true).length;
  return {
    since: calls.reduce((least, { at }) => Math.min(least, at), first.at),
    until: calls.reduce((most, { at }) => Math.max(most, at), first.at),
    calls: calls.length,
    reads,
    allowed: allowed.length - reads,
    asked: asked.length,
    denied: calls.length - allowed.length - asked.length,
    rules: suggested.length,
    answered: answered.size,
    suggested,
  };
}
