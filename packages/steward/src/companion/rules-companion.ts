import { type Refusal, refuse } from '@proffer/core';
import { type JsonObject, quote } from '@proffer/core/json';
import type { Companion, HookAnswer, SpaceRequest, SpaceRoute } from '@proffer/gateway';
import { pastProposals } from '../history/past-proposals.js';
import type { Steps } from '../history/steps.js';
import { summarizeWatched } from '../history/watch-summary.js';
import {
  announcedRules,
  decidedByRules,
  draftOf,
  draftRules,
  type OwnedRules,
  ownedRules,
} from '../rulebook/index.js';
import { answerSuggestions } from './answer-suggestions.js';
import { answerTry } from './answer-try.js';
import { createSlices, type Slices } from './in-slices.js';
import { readRecent } from './recent-history.js';

/** Of all participants that ever announced rules: those connected, and the most recent ones that were. */
const MAX_OWNERS = 200;

/** `GET /spaces/{space}/rules`: who decides by which rules, in plain language, and what they decided lately. */
async function listRules(
  request: SpaceRequest,
  slices: Slices,
): Promise<JsonObject | { readonly refused: Refusal }> {
  const { participants, isConnected } = request;
  const announcing = [...participants()].flatMap(({ name, rules }) =>
    rules === undefined ? [] : [{ participant: name, connected: isConnected(name), announced: rules }],
  );
  const recent = await readRecent(request);
  const decided = decidedByRules(recent.entries);
  const shown = announcing
    .sort((one, other) => Number(other.connected) - Number(one.connected) || byName(one, other))
    .slice(0, MAX_OWNERS);
  const owners = await slices.run(
    (function* (): Steps<readonly OwnedRules[]> {
      const owned: OwnedRules[] = [];
      for (const one of shown) {
        owned.push(ownedRules(one, decided.get(one.participant) ?? []));
        yield;
      }
      return owned;
    })(),
  );
  if (!owners.ok) return { refused: owners.refusal };
  return { owners: owners.value as readonly object[] as readonly JsonObject[], history: recent.extent };
}

function byName(one: { readonly participant: string }, other: { readonly participant: string }): number {
  return one.participant < other.participant ? -1 : 1;
}

const NEEDED = 'mcpx.reject.proposal';

/** Refuses those who may not decide proposals of others. */
function mustReview({ may }: Pick<SpaceRequest, 'may'>): Refusal | undefined {
  if (may(NEEDED)) return undefined;
  const what = 'Only those who may reject proposals see suggestions and drafts of rules.';
  return refuse('capability_violation', what, { missing: NEEDED });
}

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
    forReviewers('GET', '/rules/watched', answerWatched),
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

/**
 * `GET /spaces/{space}/rules/draft?proposal=ID[&action=deny]`: rules drafted from one call, the
 * narrowest first.
 */
async function answerDraft(request: SpaceRequest): Promise<JsonObject | { readonly refused: Refusal }> {
  const id = request.query.get('proposal') ?? '';
  if (id === '') {
    const what = 'The URL names no proposal; expected ?proposal=ID.';
    return { refused: refuse('missing_field', what, { field: 'proposal' }) };
  }
  const asked = request.query.get('action') ?? 'allow';
  if (asked !== 'allow' && asked !== 'deny' && asked !== 'ask') {
    const what = `action in the URL is ${quote(asked)}; expected allow, ask or deny.`;
    return { refused: refuse('invalid_field', what, { field: 'action', found: asked }) };
  }
  const recent = await readRecent(request);
  const found = pastProposals(recent.entries).find((proposal) => proposal.id === id);
  if (found === undefined) {
    const what = `There is no proposal ${quote(id)} among the last ${Number(recent.extent['messages'])} messages, or it is too long for a rule.`;
    return { refused: refuse('unknown_proposal', what, { proposal: id }) };
  }
  const drafts = draftRules(found.call, asked).map(({ words, text }) => ({ words, text }));
  return { proposal: id, drafts };
}

/**
 * `GET /spaces/{space}/rules/watched`: what guards, hooks and adapters only watched lately (O-50). Rules that somebody has
 * already are not suggested.
 */
async function answerWatched(request: SpaceRequest): Promise<JsonObject> {
  const { entries } = await readRecent(request);
  const found = summarizeWatched(entries);
  if (found === undefined) return {};
  const { suggested, ...counts } = found;
  const known = new Set<string | undefined>();
  for (const { rules } of request.participants()) {
    const read = rules === undefined ? undefined : announcedRules(rules);
    if (read?.ok === true) for (const { name } of read.value.rules) known.add(name);
  }
  const views = suggested
    .filter(({ rule }) => !known.has(rule.name))
    .map(({ rule, calls }) => {
      const { words, text } = draftOf(rule);
      return { name: rule.name, words, text, answers: calls.size };
    });
  return { watched: { ...counts, suggested: views } };
}
