import type { Envelope } from '../../envelope/envelope.js';
import { subjectOf } from '../../envelope/kind.js';
import { quote } from '../../json/describe.js';
import { textOf } from '../../json/fields.js';
import { isJsonObject } from '../../json/json.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import type { DecisionContext } from '../context.js';
import { demandsSignature } from '../keys/check-signed.js';
import type { SpaceSettings } from '../settings.js';
import { isAgent } from './agents.js';
import { entryFor, isNamed } from './policy.js';

/**
 * The refusal of a request that fulfils no proposal: one by someone who may only review (O-44), or
 * one for which a policy requires approvals (O-28). Only a policy that requires a single approval,
 * which the sender could give, lets it run without a proposal. What an agent may approve alone is
 * counted, so it is always proposed; and so is what a grant allows or an approval has to be signed for (O-49).
 */
export function checkUnproposedRequest(
  settings: Pick<SpaceSettings, 'review' | 'signed'>,
  { kind, from, payload }: Envelope,
  { sender, grant }: DecisionContext,
): Refusal | undefined {
  if (!kind.startsWith('mcp.request.')) return undefined;
  if (sender?.reviewOnly === true)
    return refuse('review_only', `${quote(from)} may only review, and this request approves no proposal.`, {
      attempted_kind: kind,
    });
  const { review = [], signed } = settings;
  const method = textOf(payload['method']);
  const params = isJsonObject(payload['params']) ? payload['params'] : undefined;
  const person = { name: from, roles: sender?.roles, isInvited: sender?.isInvited };
  const entry = entryFor(review, { method, params, proposer: person });
  const isEnough = entry?.approvals === 1 && entry.by === undefined && !demandsSignature(entry, settings);
  const mayAlone = isEnough && isNamed(entry.from, person) && !isAgent(entry, person);
  const what = subjectOf(method, params)?.name ?? method;
  if (entry === undefined && signed === true && grant !== undefined) {
    const sentence = `${quote(what)} needs a signed approval, and a grant is none.`;
    return refuse('approval_required', sentence, { approvals: 1, grant });
  }
  if (entry === undefined || mayAlone) return undefined;
  const sentence = `${quote(what)} needs ${entry.approvals === 1 ? 'an approval' : `${entry.approvals} approvals`}.`;
  return refuse('approval_required', sentence, {
    entry: entry.name,
    approvals: entry.approvals,
    from: entry.from,
  });
}
