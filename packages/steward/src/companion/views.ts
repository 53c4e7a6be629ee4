import { canonicalJson, defined, type JsonObject } from '@proffer/core/json';
import type { BacktestCase } from '../history/backtest.js';
import type { PastProposal } from '../history/past-proposals.js';
import type { PassedOver, Suggestion } from '../history/suggest.js';
import { draftOf } from '../rulebook/index.js';

/** The maximum length of each list; the total is reported, too. */
const MAX_LISTED = 20;

/** The maximum length of one call's arguments, in characters. */
const LONGEST = 300;

/** The first items of a list and its length. */
export function someOf<Item>(items: readonly Item[], view: (item: Item) => JsonObject): JsonObject {
  return { count: items.length, shown: items.slice(0, MAX_LISTED).map(view) };
}

/** A past call, and what was decided about it. */
export function viewPast({ id, call, decided }: PastProposal): JsonObject {
  const { participant, server, tool, time } = call;
  const given = canonicalJson(call.arguments);
  return {
    proposal: id,
    participant,
    ...defined({ server }),
    tool,
    arguments: given.length <= LONGEST ? given : `${given.slice(0, LONGEST).toWellFormed()}…`,
    at: time,
    ...(decided === undefined
      ? {}
      : {
          decided: {
            decision: decided.decision,
            by: decided.by,
            at: decided.at,
            automatic: decided.automatic,
          },
        }),
  };
}

/** A past proposal with what the rules would have done. */
export function viewCase({ proposal, byRules }: BacktestCase): JsonObject {
  const { action, rule } = byRules;
  return { ...viewPast(proposal), action, ...defined({ rule: rule?.name }) };
}

/** @param already - participants whose rules do the same now */
export function viewSuggestion(
  { rule, free, evidence, backtest, newlyAutomatic }: Suggestion,
  already: readonly string[],
): JsonObject {
  const { words, text } = draftOf(rule);
  return {
    name: rule.name,
    action: rule.action,
    words,
    text,
    free,
    evidence: someOf(evidence.toReversed(), viewPast),
    counts: { ...backtest },
    newlyAutomatic: someOf(newlyAutomatic.toReversed(), viewCase),
    already,
  };
}

/** A rule that is not suggested, because it contradicts past decisions. */
export function viewPassedOver({ rule, evidence, different }: PassedOver): JsonObject {
  return {
    name: rule.name,
    action: rule.action,
    words: draftOf(rule).words,
    evidence: evidence.length,
    different: someOf(different.toReversed(), viewCase),
  };
}
