import { canonicalJson, type JsonObject, type JsonValue, sameJson } from '@proffer/core';
import type { RuleAction } from '../rules/rule-set.js';
import { commonFolder, parentFolder } from './common-folder.js';
import type { PastDecision, PastProposal } from './past-proposal.js';

/** A proposal of the past that a person allowed or denied as it was. */
export type Precedent = PastProposal & {
  readonly decided: PastDecision & { readonly decision: 'allow' | 'deny' };
};

/** A rule as a file writes it. */
export type WrittenRule = {
  readonly name: string;
  readonly action: RuleAction;
  readonly match: JsonObject;
};

/** True for what a person allowed or denied as it was: the evidence that rules are made from. */
export function isPrecedent(proposal: PastProposal): proposal is Precedent {
  const { decided } = proposal;
  if (decided === undefined || decided.disputed === true) return false;
  return !decided.automatic && decided.decision !== 'amend';
}

/**
 * Groups precedents that one rule may stand for: the same decision about the same tool of the same server
 * for the same participant, with arguments of the same names.
 */
export function groupAlike(precedents: readonly Precedent[]): readonly (readonly Precedent[])[] {
  return groupBy(precedents, ({ call, decided }) => [
    decided.decision,
    call.participant,
    call.server ?? null,
    call.tool,
    Object.keys(call.arguments).sort(),
  ]);
}

/** Narrower groups: those whose texts are in the same folders, and that are otherwise equal. */
export function groupByFolder(group: readonly Precedent[]): readonly (readonly Precedent[])[] {
  return groupBy(group, ({ call }) =>
    Object.entries(call.arguments)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([, value]) => (typeof value === 'string' ? (parentFolder(value) ?? value) : (value ?? null))),
  );
}

/** The narrowest groups: the very same call. */
export function groupEqual(group: readonly Precedent[]): readonly (readonly Precedent[])[] {
  return groupBy(group, ({ call }) => call.arguments);
}

function groupBy(group: readonly Precedent[], keyOf: (precedent: Precedent) => JsonValue) {
  const groups = new Map<string, Precedent[]>();
  for (const precedent of group) {
    const key = canonicalJson(keyOf(precedent));
    const list = groups.get(key);
    if (list === undefined) groups.set(key, [precedent]);
    else list.push(precedent);
  }
  return [...groups.values()];
}

/**
 * The narrowest rule that stands for all of a group: arguments that are equal stay as they are, texts that
 * are paths become their common folder, anything else that differs has no rule.
 */
export function ruleFor(group: readonly Precedent[]): WrittenRule | undefined {
  const [first] = group;
  if (first === undefined) return undefined;
  const { participant, server, tool, arguments: given } = first.call;
  if (/\*/.test(`${participant}${server ?? ''}${tool}`)) return undefined;
  const equal: [string, JsonValue][] = [];
  const patterns: [string, string][] = [];
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const values = group.map(({ call }) =>
      Object.hasOwn(call.arguments, name) ? call.arguments[name] : undefined,
    );
    if (values.every((other) => sameJson(other, value))) {
      equal.push([name, value]);
      continue;
    }
    const texts = values.filter((other) => typeof other === 'string');
    const folder = texts.length === values.length ? commonFolder(texts) : undefined;
    if (folder === undefined) return undefined;
    patterns.push([name, folder]);
  }
  const where = patterns.map(([, folder]) => folder).join(', ');
  return {
    name: `${participant}: ${tool}${where === '' ? '' : ` in ${where}`}`,
    action: first.decided.decision,
    match: {
      participant,
      ...(server === undefined ? {} : { server }),
      tool,
      ...(equal.length === 0 ? {} : { argumentsEqual: Object.fromEntries(equal) }),
      ...(patterns.length === 0 ? {} : { arguments: Object.fromEntries(patterns) }),
      noOtherArguments: true,
    },
  };
}
