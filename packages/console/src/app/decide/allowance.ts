import { partsOf } from '@proffer/core/approvals';
import { type CapabilitySource, parseCapability } from '@proffer/core/capability';
import { type JsonObject, type JsonValue, objectOf } from '@proffer/core/json';
import type { Proposal } from '@proffer/core/operations';
import { plainLine } from '../text/marked.js';
import { listOf } from '../text/words.js';
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
export function allowedInWords(tool: string, bound: JsonObject): string {
  const conditions = entriesOf(bound).map(
    ([key, value]) =>
      `${plainLine(key)} ${isPattern(value) ? 'matches' : 'is'} ${plainLine(JSON.stringify(value))}`,
  );
  const name = plainLine(tool);
  if (conditions.length === 0) return `run ${name} with any arguments`;
  return `run ${name} where ${listOf(conditions)}, whatever its other arguments are`;
}

function isPattern(value: JsonValue): boolean {
  return typeof value === 'string' ? value.includes('*') : typeof value === 'object' && value !== null;
}

/** A granted capability, in the words in which a card offers it; `undefined` for any other. */
export function grantInWords(capability: CapabilitySource): string | undefined {
  const { kind, payload = {} } = typeof capability === 'string' ? { kind: capability } : capability;
  const [, name] = /^mcp\.request\.[^:]+:(.+)$/.exec(kind) ?? [];
  if (name === undefined) return undefined;
  const { params, ...others } = payload;
  const { arguments: bound, ...rest } = objectOf(params);
  if (Object.keys(others).length + Object.keys(rest).length > 0) return undefined;
  return allowedInWords(name, objectOf(bound));
}
