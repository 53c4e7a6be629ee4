import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../json/json.js';
import { type MessageField, messageFields } from '../modes/message-fields.js';
import { findMode } from '../modes/registry.js';
import { inMode } from './in-mode.js';
import { at, commit, control, type Step, send } from './steps.js';

/** Who takes part in the sessions; `mallory` does not. */
export const PARTIES = ['buyer', 'seller', 'broker'] as const;

/** What several parties try to do in one session of a mode, under one of its built-in policies. */
export interface ModeHistory {
  readonly policyVersion: string;
  readonly attempts: readonly Step[];
}

/** A value that a field may have, from few, so that messages are often about the same thing. */
function valueFor({ name, expected, isBytes }: MessageField): fc.Arbitrary<JsonValue> {
  if (isBytes) return fc.constantFrom('', 'bm90ZXM=');
  if (name.endsWith('_id')) return fc.constantFrom('x1', 'x1', 'x1', 'x1', 'x1', 'x2', '__proto__');
  if (name === 'requested_assignee') return fc.constantFrom('', '', ...PARTIES);
  if (name.endsWith('_participant')) return fc.constantFrom(...PARTIES);
  if (/assignee|_by$/.test(name)) return fc.constantFrom('', '', '', ...PARTIES);
  if (expected === 'true or false') return fc.boolean();
  if (expected.includes(' or ')) return fc.constantFrom(...expected.split(' or '));
  if (expected.includes('number')) return fc.constantFrom(1, 1, 2, 0, 0.5);
  if (expected === 'a list') return fc.constantFrom([], ['tag']);
  return fc.constantFrom('a', 'a', 'a', 'a', 'b', '');
}

/** Any messages of a mode, from its own description of them; some by strangers, some malformed. */
export function historyIn(mode: string): fc.Arbitrary<ModeHistory> {
  const { descriptor, policies } = findMode(mode) ?? {};
  const types =
    descriptor?.message_types.filter((type) => type !== 'SessionStart' && type !== 'Commitment') ?? [];
  const who = fc.constantFrom(...PARTIES, ...PARTIES, ...PARTIES, 'buyer', 'buyer', 'mallory');
  const messages = types.map((type) => {
    const fields = messageFields(mode, type) ?? [];
    const payload = fc.record(
      Object.fromEntries(fields.map((field) => [field.name, valueFor(field)])),
    ) as fc.Arbitrary<JsonObject>;
    return fc.tuple(who, payload).map(([sender, said]) => inMode(mode, send(sender, type, said)));
  });
  const malformed = fc
    .tuple(who, fc.constantFrom(...types), fc.constantFrom<JsonObject>({}, { x: 1 }, { proposal_id: [] }))
    .map(([sender, type, payload]) => inMode(mode, send(sender, type, payload)));
  const builtIn = [...(policies?.builtIn.keys() ?? [])];
  return fc.constantFrom(...builtIn).chain((policyVersion) => {
    const committing = fc
      .tuple(fc.constantFrom('buyer', 'buyer', 'seller', 'mallory'), fc.boolean())
      .map(([sender, outcome_positive]) =>
        inMode(mode, commit(sender, { outcome_positive, policy_version: policyVersion })),
      );
    const controlling = fc
      .constantFrom('suspend', 'resume', 'resume', 'resume', 'resume', 'resume', 'resume', 'resume')
      .map((type) => control(type, 'buyer'));
    const attempt = fc.oneof(
      { weight: 20, arbitrary: fc.oneof(...messages) },
      { weight: 2, arbitrary: malformed },
      { weight: 2, arbitrary: committing },
      { weight: 1, arbitrary: controlling },
    );
    return fc
      .array(attempt, { minLength: 5, maxLength: 60, size: 'max' })
      .map((steps) => ({ policyVersion, attempts: steps.map((step, index) => at(index * 5, step)) }));
  });
}
