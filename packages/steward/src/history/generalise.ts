import {
  canonicalJson,
  defined,
  describe,
  type JsonObject,
  type JsonValue,
  sameJson,
} from '@proffer/core/json';
import { hideSecrets } from '@proffer/core/secrets';
import type { RuleAction } from '../rules/rule-set.js';
import { commonFolder, isAnchor, isContent, parentFolder } from './content.js';
import type { PastDecision, PastProposal } from './past-proposals.js';

/** A past proposal that a person allowed or denied unchanged. */
export type Precedent = PastProposal & {
  readonly decided: PastDecision & { readonly decision: 'allow' | 'deny' };
};

/** A rule as written in a file. */
export type WrittenRule = {
  readonly name: string;
  readonly action: RuleAction;
  readonly match: JsonObject;
};

/** True for proposals that a person allowed or denied unchanged: the evidence for rules. */
export function isPrecedent(proposal: PastProposal): proposal is Precedent {
  const { decided } = proposal;
  if (decided === undefined || decided.disputed === true) return false;
  return !decided.automatic && decided.decision !== 'amend';
}

/**
 * Groups precedents that one rule may cover: the same decision about the same tool of the same server
 * for the same participant, with the same argument names.
 */
export function groupAlike(precedents: readonly Precedent[]): readonly (readonly Precedent[])[] {
  return groupBy(precedents, ({ call, decided }) => [
    decided.decision,
    participantOf(call),
    call.server ?? null,
    call.method ?? null,
    call.tool,
    Object.keys(call.arguments).sort(),
  ]);
}

/** Narrower groups: the same destination, whatever the content. */
export function groupByTarget(group: readonly Precedent[]): readonly (readonly Precedent[])[] {
  const names = Object.keys(group[0]?.call.arguments ?? {}).filter(
    (name) => !isContent(name, valuesOf(group, name)),
  );
  return groupBy(group, ({ call }) => placesIn(call.arguments, names));
}

/** Narrower groups: texts in the same folders, and otherwise equal. */
export function groupByFolder(group: readonly Precedent[]): readonly (readonly Precedent[])[] {
  return groupBy(group, ({ call }) => placesIn(call.arguments, Object.keys(call.arguments)));
}

/** The narrowest groups: identical calls. */
export function groupEqual(group: readonly Precedent[]): readonly (readonly Precedent[])[] {
  return groupBy(group, ({ call }) => call.arguments);
}

function placesIn(given: JsonObject, names: readonly string[]): JsonValue {
  return names
    .toSorted()
    .map((name) => given[name])
    .map((value) => (typeof value === 'string' ? (parentFolder(value) ?? value) : (value ?? null)));
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

/** A rule for a group, and the arguments that it leaves open. */
export interface Generalised {
  readonly rule: WrittenRule;
  readonly free: readonly string[];
}

/**
 * The narrowest rule that covers a whole group: equal arguments stay, paths become their common
 * folder, and mere content may be anything, provided that another argument fixes the destination. If
 * anything else differs, there is no rule; nor if an argument looks like a secret, which no rule file should have.
 */
export function ruleFor(group: readonly Precedent[]): Generalised | undefined {
  const [first] = group;
  if (first === undefined) return undefined;
  const { server, tool, arguments: given } = first.call;
  const participant = participantOf(first.call);
  if (/\*/.test(`${participant}${server ?? ''}${tool}`) || hideSecrets(given).hasSecrets) return undefined;
  const equal: [string, JsonValue][] = [];
  const folders: [string, string][] = [];
  const free: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const values = valuesOf(group, name);
    const texts = values.filter((other) => typeof other === 'string');
    const folder = texts.length === values.length ? commonFolder(texts) : undefined;
    if (values.every((other) => sameJson(other, value))) equal.push([name, value]);
    else if (folder !== undefined) folders.push([name, folder]);
    else if (isContent(name, values)) free.push(name);
    else return undefined;
  }
  const anchors = equal.filter(([name, value]) => isAnchor(name, value));
  if (free.length > 0 && folders.length + anchors.length === 0) return undefined;
  const where =
    folders.length > 0
      ? ` in ${folders.map(([, folder]) => folder).join(', ')}`
      : free.length > 0
        ? `, ${anchors.map(([name, value]) => `${name} ${describe(value)}`).join(', ')}`
        : '';
  const patterns = [...folders, ...free.map((name) => [name, '**'] as const)];
  return {
    free,
    rule: {
      name: `${participant}: ${tool}${where}`,
      action: first.decided.decision,
      match: {
        participant,
        ...defined({ server }),
        tool,
        ...(equal.length === 0 ? {} : { argumentsEqual: Object.fromEntries(equal) }),
        ...(patterns.length === 0 ? {} : { arguments: Object.fromEntries(patterns) }),
        noOtherArguments: true,
      },
    },
  };
}

function valuesOf(group: readonly Precedent[], name: string): readonly (JsonValue | undefined)[] {
  return group.map(({ call }) => (Object.hasOwn(call.arguments, name) ? call.arguments[name] : undefined));
}

/** Rules treat all guards of one server alike, however many there are. */
function participantOf({ participant, alias }: Precedent['call']): string {
  return alias ?? participant;
}
