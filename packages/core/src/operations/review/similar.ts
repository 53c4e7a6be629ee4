import { canonicalJson } from '../../json/canonical.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json.js';
import type { Proposal } from '../proposal/proposal.js';

type Called = Pick<Proposal, 'method' | 'subject' | 'proposer' | 'origin'>;

/**
 * What calls that people review together have in common, whoever proposes them (O-35): the method,
 * and the tool by its name for all agents. Guards announce `GUARD/SERVER/TOOL` and hooks
 * `AGENT/TOOL`, so that each has its own tools.
 */
export function similarityOf({ method, subject, proposer, origin }: Called): string {
  const name = subject?.name ?? '';
  const behindGuard = without(name, proposer);
  const ofAgent = origin?.client === undefined ? undefined : without(name, origin.client);
  const shared = behindGuard?.includes('/') === true ? behindGuard : (ofAgent ?? name);
  return JSON.stringify([method, shared]);
}

function without(name: string, owner: string): string | undefined {
  return name.startsWith(`${owner}/`) ? name.slice(owner.length + 1) : undefined;
}

/** The inputs of a call: its arguments, and separately, since names may collide, its other params. */
export type CallParts = { readonly given: JsonObject; readonly others: JsonObject };

/** Splits a call's params. The name of the tool, prompt or resource is in neither part. */
export function partsOf({ params, subject }: Pick<Proposal, 'params' | 'subject'>): CallParts {
  const { arguments: given, ...rest } = params ?? {};
  const key = subject?.list === 'resources' ? 'uri' : 'name';
  const others = Object.fromEntries(
    Object.entries(rest).filter(([name]) => subject === undefined || name !== key),
  );
  if (isJsonObject(given)) return { given, others };
  return { given: {}, others: given === undefined ? others : { ...others, arguments: given } };
}

/** What similar calls have in common, and what is different about each of them. */
export interface CallComparison {
  readonly common: CallParts;
  /** In call order. */
  readonly different: readonly CallParts[];
  /** The names of what differs; those outside the arguments in brackets. */
  readonly differing: readonly string[];
}

/** Compares calls argument by argument. */
export function compareCalls(calls: readonly Pick<Proposal, 'params' | 'subject'>[]): CallComparison {
  const all = calls.map(partsOf);
  const given = differingIn(all.map((parts) => parts.given));
  const others = differingIn(all.map((parts) => parts.others));
  const only = (parts: CallParts, isDifferent: boolean): CallParts => ({
    given: pick(parts.given, (name) => given.has(name) === isDifferent),
    others: pick(parts.others, (name) => others.has(name) === isDifferent),
  });
  return {
    common: only(all[0] ?? { given: {}, others: {} }, false),
    different: all.map((parts) => only(parts, true)),
    differing: [...given, ...[...others].map((name) => `(${name})`)],
  };
}

function differingIn(all: readonly JsonObject[]): ReadonlySet<string> {
  const names = new Set(all.flatMap((values) => Object.keys(values)));
  const differs = (name: string): boolean => new Set(all.map((values) => textAt(values, name))).size > 1;
  return new Set([...names].filter(differs));
}

function pick(values: JsonObject, isWanted: (name: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([name]) => isWanted(name)));
}

function textAt(values: JsonObject, name: string): string {
  const value: JsonValue | undefined = Object.hasOwn(values, name) ? values[name] : undefined;
  return value === undefined ? '' : canonicalJson(value);
}
