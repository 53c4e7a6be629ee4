import { subjectOf } from '@proffer/core';
import { defined, type JsonObject, textOf } from '@proffer/core/json';
import { endingInNotice, type OperationRecord, type Proposed } from '@proffer/core/operations';
import { type HidingOptions, hideSecrets } from '@proffer/core/secrets';
import { showParams } from '../content/show-params.js';
import type { Ended } from '../outbox/outbox.js';
import type { AskedProposal } from './route.js';

/** What a record of a space means for the people to notify. */
export type ProposalEvent =
  | { readonly type: 'asked'; readonly asked: AskedProposal }
  /** More people are asked: its reservation has ended (`to` is empty: everyone), or no one decided in time. */
  | { readonly type: 'opened'; readonly proposal: string; readonly to: readonly string[] }
  /** The proposal has more time. */
  | { readonly type: 'renewed'; readonly proposal: string; readonly expiresAt: number }
  /** Someone approved or rejected it, and it is still pending. */
  | { readonly type: 'answered'; readonly proposal: string; readonly by: string }
  | { readonly type: 'ended'; readonly proposal: string; readonly ending: Ended };

/** Interprets a record; `undefined` if it concerns no one. */
export function proposalEventOf(
  space: string,
  record: OperationRecord,
  hiding: HidingOptions,
): ProposalEvent | undefined {
  // Reasons are people's own words, and may quote a secret.
  const ended = (proposal: string, ending: Ended): ProposalEvent => ({
    type: 'ended',
    proposal,
    ending: hideSecrets(ending, hiding).value,
  });
  switch (record.type) {
    case 'proposed':
      // No one has to decide what a grant allows (O-41).
      if (record.facts.runsBy !== undefined) return undefined;
      return { type: 'asked', asked: askedIn(space, record, hiding) };
    case 'opened':
      return { type: 'opened', proposal: record.facts.proposal, to: [] };
    case 'escalated':
      return { type: 'opened', proposal: record.facts.proposal, to: record.facts.to };
    case 'renewed': {
      const { proposal, expiresAt } = record.facts;
      return expiresAt === undefined ? undefined : { type: 'renewed', proposal, expiresAt };
    }
    case 'approved':
    case 'rejected':
      return { type: 'answered', proposal: record.facts.proposal, by: record.principal };
    case 'fulfilled':
      return ended(record.facts.proposal, { ended: 'fulfilled', by: record.principal });
    case 'withdrawn': {
      const { reason } = record.envelope.payload;
      const why = typeof reason === 'string' ? { reason } : {};
      return ended(record.facts.proposal, { ended: 'withdrawn', by: record.principal, ...why });
    }
    case 'expired':
      return ended(record.facts.proposal, { ended: 'expired' });
    case 'declined': {
      const { facts, envelope } = record;
      if (!facts.final) return undefined;
      const why = endingInNotice(envelope.payload);
      const by = why !== undefined && 'by' in why ? { by: why.by } : {};
      return ended(facts.proposal, { ended: 'declined', ...by, ...defined({ why }) });
    }
    default:
      return undefined;
  }
}

/** What a proposal asks, without redacted fields. */
export function askedIn(space: string, record: Proposed, hiding: HidingOptions): AskedProposal {
  const { envelope, facts, principal, time } = record;
  const { method: named } = envelope.payload;
  const method = textOf(named);
  const params = envelope.payload['params'] as JsonObject | undefined;
  const name = subjectOf(method, params)?.name;
  // The address of a resource may have a password in it.
  const subject = name === undefined ? undefined : hideSecrets(name, hiding).value;
  const { digest, expiresAt, targeting, addressees, review } = facts;
  return {
    // While it is reserved, no one else can decide it.
    addressees: targeting?.exclusive === true ? targeting.preferred : addressees,
    ...defined({ params }),
    summary: {
      proposal: envelope.id,
      space,
      proposer: principal,
      method,
      ...defined({ subject }),
      ...showParams(params, hiding),
      digest,
      ...(review === undefined || review.needed <= 1 ? {} : { approvals: review.needed }),
      proposedAt: time,
      ...defined({ expiresAt }),
    },
  };
}
