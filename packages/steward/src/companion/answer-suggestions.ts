import { type Refusal, refuse } from '@proffer/core';
import { type JsonObject, quote } from '@proffer/core/json';
import type { SpaceRequest } from '@proffer/gateway';
import { type PastProposal, pastProposals } from '../history/past-proposals.js';
import type { Steps } from '../history/steps.js';
import { closestToRule, type Suggestion, suggestSteps } from '../history/suggest.js';
import { announcedRules } from '../rulebook/index.js';
import { decideByRules } from '../rules/decide-by-rules.js';
import type { RuleSet } from '../rules/rule-set.js';
import type { Slices } from './in-slices.js';
import { readRecent } from './recent-history.js';
import { viewPassedOver, viewSuggestion } from './views.js';

/** The rules with the most evidence; the list is for people. */
const MAX_SUGGESTED = 50;

/** `GET /spaces/{space}/rules/suggestions[?min=3]`: the rules that people's decisions already follow. */
export async function answerSuggestions(
  request: SpaceRequest,
  slices: Slices,
): Promise<JsonObject | { readonly refused: Refusal }> {
  const asked = request.query.get('min') ?? '3';
  const min = Number(asked);
  if (!Number.isSafeInteger(min) || min < 2) {
    const what = `min in the URL is ${quote(asked)}; expected a whole number, 2 or more.`;
    return { refused: refuse('invalid_field', what, { field: 'min', found: asked }) };
  }
  const recent = await readRecent(request);
  const past = pastProposals(recent.entries);
  const found = await slices.run(suggesting(past, min, request));
  if (!found.ok) return { refused: found.refusal };
  const closest = found.value.suggestions.length > 0 ? undefined : closestToRule(past);
  return {
    suggestions: found.value.suggestions,
    passedOver: found.value.passedOver,
    history: {
      ...recent.extent,
      proposals: past.length,
      decided: past.filter(({ decided }) => decided?.automatic === false).length,
      skipped: recent.skipped,
    },
    ...(closest === undefined ? {} : { closest: { ...closest } }),
  };
}

/** Finds them, and whose rules already do the same. */
function* suggesting(
  past: readonly PastProposal[],
  min: number,
  { participants, isConnected }: SpaceRequest,
): Steps<{ readonly suggestions: readonly JsonObject[]; readonly passedOver: readonly JsonObject[] }> {
  const { suggestions, passedOver } = yield* suggestSteps(past, { min });
  const owners = new Map<string, RuleSet>();
  for (const { name, rules } of participants()) {
    const read = rules === undefined || !isConnected(name) ? undefined : announcedRules(rules);
    if (read?.ok === true) owners.set(name, read.value);
    yield;
  }
  const views: JsonObject[] = [];
  for (const suggestion of suggestions.slice(0, MAX_SUGGESTED)) {
    yield;
    const already: string[] = [];
    for (const [name, rules] of owners) {
      if (yield* decidesAll(rules, suggestion)) already.push(name);
    }
    views.push(viewSuggestion(suggestion, already));
  }
  return { suggestions: views, passedOver: passedOver.slice(0, MAX_SUGGESTED).map(viewPassedOver) };
}

/** Whether the rules would now decide all the evidence the same way. */
function* decidesAll(rules: RuleSet, { rule, evidence }: Suggestion): Steps<boolean> {
  for (const { call } of evidence) {
    if (decideByRules(rules, call).action !== rule.action) return false;
    yield;
  }
  return true;
}
