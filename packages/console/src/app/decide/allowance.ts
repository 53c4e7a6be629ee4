import { partsOf } from '@proffer/core/approvals';
import { type CapabilitySource, parseCapability } from '@proffer/core/capability';
import type { JsonObject, JsonValue } from '@proffer/core/json';
import type { Proposal } from '@proffer/core/operations';
import { describeBound, type Voice } from '@proffer/core/words';
import { entriesOf } from '../value/entries.js';

/**
 * The capability to run what a proposal asks for again without approval: for this tool, prompt or resource,
 * and only with these arguments, if any are given. `undefined` if no pattern says exactly that: a star cannot
 * be escaped.
 */
export function capabilityFor(
  { method, subject }: Pick<Proposal, 'method' | 'subject'>,
  bound: JsonObject = {},
): CapabilitySource | undefined {
  const name = subject?.name ?? '';
  if (name.includes('*')) return undefined;
  const kind = `mcp.request.${method}${subject === undefined ? '' : `:${name}`}`;
  const isBound = Object.keys(bound).length > 0;
  const source = isBound ? { kind, payload: { params: { arguments: bound } } } : kind;
  return parseCapability(source).ok ? source : undefined;
}

/** The arguments that a grant can be bound to: plain values that a pattern can name. */
export function bindable(proposal: Proposal): readonly (readonly [name: string, value: JsonValue])[] {
  return entriesOf(partsOf(proposal).given).filter(
    ([name, value]) =>
      (typeof value === 'string' ? !value.includes('*') : typeof value !== 'object') &&
      capabilityFor(proposal, { [name]: value }) !== undefined,
  );
}

/** Exactly what is allowed: `run write_file where path is "/a", whatever its other arguments are`. */
export function allowedInWords(tool: string, bound: JsonObject, voice: Voice): string {
  const where = describeBound(bound, voice);
  return `run ${voice.text(tool)}${where === '' ? ' with any arguments' : `${where}, whatever its other arguments are`}`;
}
