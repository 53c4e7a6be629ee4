import type { OperationRecord } from '../../records.js';
import type { History } from './history.js';

/** In how many histories something happened. */
export type Coverage = Map<string, number>;

/** Counts what happened in a history. */
export function cover(coverage: Coverage, { journal, mishaps, scenario }: History): void {
  const reached = new Set<string>();
  if (scenario.rules.length > 1) reached.add('policy of several entries');
  for (const { record } of journal) for (const what of reachedBy(record)) reached.add(what);
  if (mishaps.conflicts > 0) reached.add('conflict');
  if (mishaps.kills > 0) reached.add('kill');
  if (mishaps.lost > 0) reached.add('decision lost by a kill');
  if (mishaps.cut > 0) reached.add('kill between two appends of a decision');
  for (const what of reached) coverage.set(what, (coverage.get(what) ?? 0) + 1);
}

function* reachedBy({ type, facts, envelope }: OperationRecord): Generator<string> {
  yield type;
  if (type === 'fulfilled') {
    yield 'entry' in facts ? 'ran under a policy' : 'ran without a policy';
    if ('grant' in facts && envelope.id.startsWith('system:')) yield 'ran at once by a grant';
    if ('counter' in facts) yield 'ran by an accepted counter-offer';
    if ('needed' in facts && (facts.needed ?? 1) > 1 && !('alone' in facts)) yield 'ran by several approvals';
  }
  if (type === 'said' && envelope.kind.startsWith('mcp.request.')) yield 'called unasked';
  if ('onBehalfOf' in facts) yield 'approved for another';
  if ('waitsFor' in facts) yield 'approved before its dependencies';
  if ('batch' in facts) yield 'part of a batch';
  if ('alone' in facts) yield 'approved alone by an agent';
  if ('grant' in facts && 'fingerprint' in facts && type !== 'granted') yield 'rested on a grant';
}
