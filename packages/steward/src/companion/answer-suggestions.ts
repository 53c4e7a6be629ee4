import { type Refusal, refuse } from '@proffer/core';
import { type JsonObject, quote } from '@proffer/core/json';
import type { SpaceRequest } from '@proffer/gateway';
import { closestToRule, type Suggestion, suggestSteps } from '../history/suggest.js';
import { announcedRules } from '../rulebook/index.js';
import { decideByRules } from '../rules/decide-by-rules.js';
import type { RuleSet } from '../rules/rule-set.js';
import type { Slices } from './in-slices.js';
import { proposalsIn, readRecent } from './recent-history.js';
import { viewPassedOver, viewSuggestion } from './views.js';

/** `GET /spaces/{space}/rules/suggestions[?min=3]`: the rules that people's decisions already follow. */
export async function answerSuggestions(
  request: SpaceRequest,
  slices: Slices,
): Promise<JsonObject | { readonly refused: Refusal }> {
  const asked = request.query.get('min') ?? '3';
  const min = Number(asked);
  if (!Number.isSafeInteger(min) || min < 2) {
    const what = `min in the address is ${quote(asked)}; expected a whole number, 2 or more.`;
    return { refused: refuse('invalid_field', what, { field: 'min', found: asked }) };
  }
  const recent = await readRecent(request);
  const { past, skipped } = proposalsIn(recent);
  const found = await slices.run(suggestSteps(past, { min }));
  if (!found.ok) return { refused: found.refusal };
  const owners = rulesIn(request);
  const closest = closestToRule(past);
  return {
    suggestions: found.value.suggestions.map((one) => viewSuggestion(one, alreadyDone(one, owners))),
    passedOver: found.value.passedOver.map(viewPassedOver),
    history: {
      ...recent.extent,
      proposals: past.length,
      decided: past.filter(({ decided }) => decided?.automatic === false).length,
      skipped,
    },
    ...(closest === undefined ? {} : { closest: { ...closest } }),
  };
}

/** The rules that are announced and can be read, by whom. */
function rulesIn({ participants }: SpaceRequest): readonly (readonly [string, RuleSet])[] {
  return [...participants()].flatMap(({ name, rules }) => {
    const read = rules === undefined ? undefined : announcedRules(rules);
    return read?.ok === true ? [[name, read.value] as const] : [];
  });
}

/** Those whose rules would decide all the evidence in the same way now. */
function alreadyDone(
  { rule, evidence }: Suggestion,
  owners: readonly (readonly [string, RuleSet])[],
): readonly string[] {
  return owners.flatMap(([name, rules]) =>
    evidence.every(({ call }) => decideByRules(rules, call).action === rule.action) ? [name] : [],
  );
}
