import { type Refusal, refuse } from '@proffer/core';
import { type JsonObject, quote } from '@proffer/core/json';
import type { SpaceRequest } from '@proffer/gateway';
import { pastProposals } from '../history/past-proposals.js';
import { draftRules } from '../rulebook/index.js';
import { readRecent } from './recent-history.js';

/**
 * `GET /spaces/{space}/rules/draft?proposal=ID[&action=deny]`: rules drafted from one call, the
 * narrowest first.
 */
export async function answerDraft(
  request: SpaceRequest,
): Promise<JsonObject | { readonly refused: Refusal }> {
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
