import { authorizeToSome, compileCapabilities, parseCapability } from '@proffer/core/capability';
import { type JsonObject, type JsonValue } from '@proffer/core/json';
import { fulfilmentMessage } from '../connection/envelopes.js';
import type { ProposalView } from './proposal-view.js';

/** The reviewer, as the gateway sees them. */
export interface Reviewer {
  readonly id: string;
  readonly capabilities: readonly JsonValue[];
}

/**
 * Why this reviewer may not approve a proposal, as far as known before asking the gateway; `undefined` if
 * there is no known reason. May contain text from others; make it visible before showing it.
 */
export function whyNotApprove({
  id,
  capabilities,
}: Reviewer): (proposal: ProposalView, params?: JsonObject) => string | undefined {
  const parsed = capabilities.map((capability) => parseCapability(capability));
  const compiled = compileCapabilities(parsed.flatMap((result) => (result.ok ? [result.value] : [])));
  return (proposal, params = proposal.params) => {
    if (proposal.proposer === id) return 'you proposed it';
    const { targeting, opened } = proposal;
    if (targeting?.exclusive === true && !opened && !targeting.preferred.includes(id))
      return `it is reserved for ${targeting.preferred.join(', ')}`;
    const { kind, payload } = fulfilmentMessage(proposal, params, { to: undefined }) as {
      kind: string;
      payload: JsonObject;
    };
    return authorizeToSome(compiled, { from: id, kind, payload }) === undefined
      ? undefined
      : `${id} lacks the capability ${kind}`;
  };
}
