import type { Refusal } from '@proffer/core';
import type { JsonObject } from '@proffer/core/json';
import type { Companion, HookAnswer, SpaceRequest, SpaceRoute } from '@proffer/gateway';
import { answerDraft } from './answer-draft.js';
import { answerSuggestions } from './answer-suggestions.js';
import { answerTry } from './answer-try.js';
import { createSlices, type Slices } from './in-slices.js';
import { listRules } from './list-rules.js';
import { mustReview } from './must-review.js';

/**
 * Answers questions about rules beside a gateway: which rules were announced in a space and what they
 * decided recently, which ones people's decisions suggest, and what a draft would have decided. It
 * writes nothing: a rule file belongs to its steward.
 */
export const rulesCompanion: Companion = async () => {
  const slices = createSlices();
  const routes: readonly SpaceRoute[] = [
    { method: 'GET', path: '/rules', answer: async (request) => answered(await listRules(request, slices)) },
    forReviewers('GET', '/rules/suggestions', (request) => answerSuggestions(request, slices)),
    forReviewers('GET', '/rules/draft', answerDraft),
    forReviewers('POST', '/rules/try', (request) => answerTry(request, slices)),
  ];
  return { routes: () => routes, reload: () => {}, close: async () => {} };
};

/** Only for participants that may decide: this serves reviewers, not proposers. */
function forReviewers(
  method: SpaceRoute['method'],
  path: string,
  answer: (request: SpaceRequest, slices?: Slices) => Promise<JsonObject | { readonly refused: Refusal }>,
): SpaceRoute {
  return {
    method,
    path,
    async answer(request) {
      const refused = mustReview(request);
      return refused === undefined ? answered(await answer(request)) : { refused };
    },
  };
}

function answered(answer: JsonObject | { readonly refused: Refusal }): HookAnswer {
  return isRefusal(answer) ? answer : { status: 200, body: answer };
}

function isRefusal(
  answer: JsonObject | { readonly refused: Refusal },
): answer is { readonly refused: Refusal } {
  return 'refused' in answer;
}
