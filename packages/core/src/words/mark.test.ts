import { expect, it } from 'vitest';
import { VersionedMap } from '../collections/versioned-map.js';
import { describeByRule, marksOf, NO_RULE } from './mark.js';
import { roleOf } from './role.js';

type Decided = Parameters<typeof marksOf>[0];

const fulfilment = { by: 'ada', request: 'r', to: [], at: 1, digest: 'd', amendment: [] };
const decided = (more: Partial<Decided>): Decided => ({
  rejections: VersionedMap.of([]),
  statuses: VersionedMap.of([]),
  ...more,
});
const said = (by: string, message: string) =>
  VersionedMap.of([[by, { status: 'considering', message, at: 0 }]]);
const byRule = describeByRule('Tests may run', 'rule “Tests”, line 3', '1a2b');

it('marks what ran changed, by a grant, or by a rule of whoever decided', () => {
  expect(marksOf(decided({ fulfilment }))).toEqual([]);
  const amendment = [{ path: '/a', after: 1 }];
  expect(marksOf(decided({ fulfilment: { ...fulfilment, amendment, grant: 'g' } }))).toEqual([
    'changed',
    'granted',
  ]);
  expect(marksOf(decided({ fulfilment, statuses: said('ada', byRule) }))).toEqual(['by_rule']);
  // What somebody else's rules say decides nothing, and neither does a default.
  expect(marksOf(decided({ fulfilment, statuses: said('guard', byRule) }))).toEqual([]);
  const byDefault = describeByRule('Ask', NO_RULE, '1a2b');
  expect(marksOf(decided({ fulfilment, statuses: said('ada', byDefault) }))).toEqual([]);
  const rejections = VersionedMap.of([['ada', { reason: 'policy' as const, message: byRule, at: 0 }]]);
  const ending = { why: 'rejected', by: 'ada', reason: 'policy', message: byRule } as const;
  expect(marksOf(decided({ rejections, ending }))).toEqual(['by_rule']);
});

it('names a role by what a participant may do', () => {
  expect(roleOf(['*'])).toBe('operator');
  expect(roleOf(['mcp.proposal.*', { kind: 'mcp.request.tools/call:read' }])).toBe('reviewer');
  expect(roleOf(['mcp.*'])).toBe('reviewer');
  expect(roleOf([{ kind: '*', payload: { method: 'tools/list' } }])).toBe('reviewer');
  expect(roleOf(['mcp.proposal.*', 'mcp.response.*'])).toBe('agent');
  expect(roleOf([])).toBe('observer');
});
