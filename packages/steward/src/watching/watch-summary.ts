import { type ObservedCall, observedIn } from '@proffer/core/operations';
import type { WatchCounts } from '@proffer/core/words';
import type { HistoryEntry } from '../history/history-entry.js';
import { suggestRules } from '../history/suggest.js';
import { type AnsweringRule, answeringRules } from './answering-rules.js';

/** A watched call, and who would have asked. */
interface WatchedCall {
  readonly participant: string;
  readonly call: ObservedCall;
}

/** The mark of a text that was cut short. */
const CUT = /… \(\d+ (?:characters|items)\)|"…"/;

/**
 * The rules that would have answered the calls of guards, of which only the arguments are known: those that would be suggested
 * if somebody had approved all of them. Pure.
 */
function rulesForGuards(watched: readonly WatchedCall[], min: number): readonly AnsweringRule[] {
  const known = watched.filter(
    ({ call: { would, isProtected, open, arguments: given } }) =>
      would === 'ask' &&
      isProtected !== true &&
      open === undefined &&
      !CUT.test(JSON.stringify(given ?? '"…"')),
  );
  const past = known.map(({ participant, call }, index) => {
    const { server, tool, at: time, arguments: given = {} } = call;
    const own = tool.startsWith(`${server}/`) ? tool.slice(server.length + 1) : tool;
    const decided = { decision: 'allow', by: participant, at: time, automatic: false } as const;
    return { id: String(index), call: { participant, server, tool: own, arguments: given, time }, decided };
  });
  const { suggestions } = suggestRules(past, { min });
  return suggestions.map(({ rule, evidence }) => ({
    rule: { ...rule, name: `watched: ${rule.name}` },
    calls: new Set(evidence.flatMap(({ id }) => known[Number(id)]?.call ?? [])),
  }));
}

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
