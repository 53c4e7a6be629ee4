import type { ObservedCall } from '@proffer/core/operations';
import { suggestRules } from '../history/suggest.js';
import type { AnsweringRule } from './answering-rules.js';

/** A watched call, and who would have asked. */
export interface WatchedCall {
  readonly participant: string;
  readonly call: ObservedCall;
}

/** The mark of a text that was cut short. */
const CUT = /… \(\d+ (?:characters|items)\)|"…"/;

/**
 * The rules that would have answered the calls of guards, of which only the arguments are known: those that would be suggested
 * if somebody had approved all of them. Pure.
 */
export function rulesForGuards(watched: readonly WatchedCall[], min: number): readonly AnsweringRule[] {
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
