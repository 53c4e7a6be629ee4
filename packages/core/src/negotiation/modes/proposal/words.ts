import type { EnvelopeOf } from '../../wire/macp-envelope.js';
import type { MessageWords } from '../message-words.js';
import type { ProposalModePayloads } from './payloads.js';

/** Describes the messages of Proposal Mode. */
export function describeProposalMessage({
  message_type,
  payload,
}: EnvelopeOf<ProposalModePayloads>): MessageWords {
  switch (message_type) {
    case 'Proposal':
      return { verb: 'proposes', about: payload.proposal_id, said: termsOf(payload), tone: 'plain' };
    case 'CounterProposal': {
      const { proposal_id, supersedes_proposal_id } = payload;
      const about = `${supersedes_proposal_id} with ${proposal_id}`;
      return { verb: 'counters', about, said: termsOf(payload), tone: 'plain' };
    }
    case 'Accept':
      return { verb: 'accepts', about: payload.proposal_id, said: payload.reason, tone: 'good' };
    case 'Reject': {
      const verb = payload.terminal ? 'rejects for good' : 'rejects';
      return { verb, about: payload.proposal_id, said: payload.reason, tone: 'bad' };
    }
    case 'Withdraw':
      return { verb: 'withdraws', about: payload.proposal_id, said: payload.reason, tone: 'caution' };
  }
}

function termsOf({ title, summary }: { readonly title: string; readonly summary: string }): string {
  return [title, summary].filter((text) => text !== '').join(': ');
}
