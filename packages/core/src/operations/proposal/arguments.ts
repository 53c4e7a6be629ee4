import type { Subject } from '../../envelope/kind.js';
import { canonicalJson } from '../../json/canonical.js';
import { quote } from '../../json/describe.js';
import { objectOf } from '../../json/fields.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import type { ProposalContext } from '../context.js';
import { definitionOf } from '../participant.js';

/** A problem with an argument: where, as a JSON pointer into the params, and what was expected there. */
export type ArgumentFault = { readonly path: string; readonly expected: string; readonly found: string };

/** The result of checking arguments against a schema: the faults, or why it cannot be checked. */
export type ArgumentVerdict =
  | { readonly faults: readonly ArgumentFault[]; readonly unchecked?: never }
  | { readonly unchecked: string; readonly faults?: never };

/** Checks a tool's arguments against its schema. Must be deterministic, at a bounded cost. */
export type ArgumentCheck = (schema: JsonObject, args: JsonValue) => ArgumentVerdict;

/** What a record says about the arguments; nothing if no schema, or more than one, is known. */
export type ArgumentFacts = {
  readonly arguments?: 'valid' | 'invalid' | 'unchecked';
  /** If they are invalid and the space only marks that. */
  readonly argumentFaults?: readonly ArgumentFault[];
};

const NOT_CHECKED: ArgumentFacts = {};

/**
 * Checks the arguments that would run against the tool's announced schema, if exactly one is known
 * (O-39). The space refuses a mismatch, or marks it for the reviewer.
 *
 * @param servers - those whose schemas count: the executor if known, else all that serve the tool
 */
export function checkArguments(
  { subject, params }: { readonly subject: Subject | undefined; readonly params: JsonValue | undefined },
  servers: readonly string[],
  { checkArguments: check, space, settings }: ProposalContext,
): ArgumentFacts | { readonly refused: Refusal } {
  if (check === undefined || subject?.list !== 'tools') return NOT_CHECKED;
  const schema = onlySchema(
    servers.map((name) => definitionOf(space.participants.get(name), subject)?.['inputSchema']),
  );
  if (schema === undefined) return NOT_CHECKED;
  const args = objectOf(params)['arguments'];
  const { faults } = check(schema, args ?? {});
  if (faults === undefined) return { arguments: 'unchecked' };
  const [first] = faults;
  if (first === undefined) return { arguments: 'valid' };
  if (settings.arguments === 'mark') return { arguments: 'invalid', argumentFaults: faults };
  return { refused: refuseArguments(subject, first, faults) };
}

/** The single schema among these; `undefined` if there is none, or if they differ. */
function onlySchema(schemas: readonly (JsonValue | undefined)[]): JsonObject | undefined {
  const [first, ...others] = schemas.filter(isJsonObject);
  if (first === undefined || others.length === 0) return first;
  const text = canonicalJson(first);
  return others.every((schema) => schema === first || canonicalJson(schema) === text) ? first : undefined;
}

function refuseArguments({ name }: Subject, first: ArgumentFault, faults: readonly ArgumentFault[]): Refusal {
  const { path, expected, found } = first;
  const sentence = `${quote(name)} does not accept these arguments. At ${path}: expected ${expected}, found ${found}.`;
  return refuse('invalid_arguments', sentence, { ...first, faults });
}
