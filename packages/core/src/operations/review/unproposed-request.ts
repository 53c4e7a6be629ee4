import type { Envelope } from '../../envelope/envelope.js';
import { subjectOf } from '../../envelope/kind.js';
import { quote } from '../../json/describe.js';
import { textOf } from '../../json/fields.js';
import { isJsonObject } from '../../json/json.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import type { DecisionContext } from '../context.js';
import type { SpaceSettings } from '../settings.js';
import { isAgent } from './agents.js';
import { entryFor, isNamed } from './policy.js';

/**
 * The refusal of a request that fulfils no proposal: one by someone who may only review (O-44), or
 * one for which a policy requires approvals (O-28). Only a policy that requires a single approval,
 * which the sender could give, lets it run without a proposal. What an agent may approve alone is
 * counted, so it is always proposed.
 */
export function checkUnproposedRequest(
  { review }: Pick<SpaceSettings, 'review'>,
  { kind, from, payload }: Envelope,
  { sender }: DecisionContext,
): Refusal | undefined {
  if (!kind.startsWith('mcp.request.')) return undefined;
  if (sender?.reviewOnly === true)
    return refuse('review_only', `${quote(from)} may only review, and this request approves no proposal.`, {
      attempted_kind: kind,
    });
  if (review === undefined) return undefined;
  const method = textOf(payload['method']);
  const params = isJsonObject(payload['params']) ? payload['params'] : undefined;
  const person = { name: from, roles: sender?.roles };
  const entry = entryFor(review, { method, params, proposer: person });
  const mayAlone = entry?.approvals === 1 && isNamed(entry.from, person) && !isAgent(entry, person);
  if (entry === undefined || mayAlone) return undefined;
  const what = subjectOf(method, params)?.name ?? method;
  const sentence = `${quote(what)} needs ${entry.approvals === 1 ? 'an approval' : `${entry.approvals} approvals`}.`;
  return refuse('approval_required', sentence, {
    entry: entry.name,
    approvals: entry.approvals,
    from: entry.from,
  });
}
