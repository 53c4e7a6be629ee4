import { expect, it } from 'vitest';
import type { SignedDecision } from './signed-decision.js';
import { decisionAsked, type ShownDecision } from './signing-request.js';

const decision: SignedDecision = {
  space: 'main',
  proposal: 'p1',
  verdict: 'approve',
  by: 'ann',
  call: 'sha256:1',
  runBy: ['tools'],
  definition: 'sha256:2',
};
const { space, proposal, call } = decision;
const shown: ShownDecision = { space, proposal, call, executor: 'tools', definition: 'sha256:2' };
const asked = (details: SignedDecision, code = 'signature_required') =>
  decisionAsked({ code, details: { decision: details } }, shown);

it('O-49: what was shown is signed, and only if that is demanded', () => {
  expect(asked(decision)).toEqual(decision);
  expect(asked(decision, 'not_approver')).toBeUndefined();
});

it.each([
  ['space', 'other'],
  ['proposal', 'other'],
  ['verdict', 'other'],
  ['call', 'sha256:3'],
  ['runBy', ['other']],
  ['runBy', []],
  ['definition', 'sha256:3'],
  ['definition', null],
] as const)('O-49: nobody signs another %s than they were shown: %j', (field, found) => {
  expect(asked({ ...decision, [field]: found })).toBe('changed');
});
