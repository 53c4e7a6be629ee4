import { canonicalJson } from '../../json/canonical.js';
import type { JsonValue } from '../../json/json.js';
import { parseJson } from '../../json/parse.js';
import { throwUnsupported } from '../../record/record.js';
import { failure, type Result, success } from '../../refusal/refusal.js';
import { isExtensionName } from '../modes/declared/name.js';
import { MODES, policiesOf } from '../modes/registry.js';
import { name } from '../wire/identifiers.js';
import { type FieldReader, filledText, messageOf, oneOf, text, wholeNumber } from '../wire/readers.js';
import { refuseField } from '../wire/refuse-field.js';
import { checkDescriptorBytes } from '../wire/registry-bounds.js';
import type { PolicyRules, RulesContext } from './policy-rules.js';

/** A policy in its wire form: its rules are JSON text in a string. */
export type PolicyDescriptor = {
  readonly policy_id: string;
  readonly mode: string;
  readonly description: string;
  /** In canonical form, so that two spellings of one definition are equal. */
  readonly rules: string;
  readonly schema_version: number;
  /** On the runtime's clock; 0 for built-in policies. */
  readonly registered_at_unix_ms: number;
};

/** The mode of a policy for all modes. */
export const EVERY_MODE = '*';

/** Any registered mode too: it need not be registered yet. */
const modeName: FieldReader<string> = (found, path) =>
  typeof found === 'string' && isExtensionName(found)
    ? name(found, path)
    : oneOf(...MODES.keys(), EVERY_MODE)(found, path);

const descriptor = messageOf<PolicyDescriptor>({
  policy_id: name,
  mode: modeName,
  description: text,
  rules: filledText,
  schema_version: wholeNumber(1, 3),
  registered_at_unix_ms: wholeNumber(0, Number.MAX_SAFE_INTEGER),
});

/**
 * Parses a definition to register. Refuses with `INVALID_POLICY_DEFINITION`, naming the exact path:
 * `rules.counter_proposal.max_rounds`; also if it exceeds 64 KiB.
 */
export function parsePolicyDescriptor(
  value: JsonValue,
  now: number,
): Result<{ readonly descriptor: PolicyDescriptor; readonly rules: PolicyRules }> {
  const reading = descriptor(value, []);
  if (!reading.ok) return failure(refuseField('INVALID_POLICY_DEFINITION', reading.problem));
  const tooLarge = checkDescriptorBytes(reading.value);
  if (tooLarge !== undefined) return failure(refuseField('INVALID_POLICY_DEFINITION', tooLarge));
  const json = parseJson(reading.value.rules);
  if (!json.ok) {
    const problem = { field: 'rules', found: `text that says: ${json.refusal.message}`, expected: 'JSON' };
    return failure(refuseField('INVALID_POLICY_DEFINITION', problem));
  }
  const { mode, schema_version: schemaVersion } = reading.value;
  const rules = parsePolicyRules(mode, json.value, { schemaVersion });
  if (!rules.ok) return rules;
  return success({
    descriptor: { ...reading.value, rules: canonicalJson(json.value), registered_at_unix_ms: now },
    rules: rules.value,
  });
}

/**
 * Parses the rules of a policy as its mode does, and fills in defaults. Those of a policy for every mode
 * are returned as parsed by the first mode that accepts them; for sessions of a mode that does not, the
 * policy does not exist. Refuses with `INVALID_POLICY_DEFINITION`.
 *
 * @throws Error for an unsupported mode
 */
export function parsePolicyRules(
  mode: string,
  value: JsonValue,
  context: RulesContext = {},
): Result<PolicyRules> {
  if (mode !== EVERY_MODE) return (policiesOf(mode) ?? throwUnsupported('mode', mode)).parse(value, context);
  const readings = Array.from(MODES.values(), ({ policies }) => policies.parse(value, context));
  return readings.find(({ ok }) => ok) ?? (readings[0] as Result<PolicyRules>);
}
