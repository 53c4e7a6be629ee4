import type { EnvelopeOf } from '../../wire/macp-envelope.js';
import type { MessageWords } from '../message-words.js';
import type { DecisionModePayloads, Recommendation, Vote } from './payloads.js';

type Tone = MessageWords['tone'];

const VOTES: Readonly<Record<Vote, readonly [verb: string, tone: Tone]>> = {
  APPROVE: ['votes for', 'good'],
  REJECT: ['votes against', 'bad'],
  ABSTAIN: ['abstains on', 'plain'],
};

const RECOMMENDATIONS: Readonly<Record<Recommendation, readonly [verb: string, tone: Tone]>> = {
  APPROVE: ['recommends', 'good'],
  REVIEW: ['takes no position on', 'plain'],
  BLOCK: ['recommends blocking', 'bad'],
  REJECT: ['recommends rejecting', 'bad'],
};

/** Describes the messages of Decision Mode. */
export function describeDecisionMessage({
  message_type,
  payload,
}: EnvelopeOf<DecisionModePayloads>): MessageWords {
  const { proposal_id: about } = payload;
  switch (message_type) {
    case 'Proposal': {
      const said = [payload.option, payload.rationale].filter((text) => text !== '').join(': ');
      return { verb: 'proposes', about, said, tone: 'plain' };
    }
    case 'Evaluation': {
      const [verb, tone] = RECOMMENDATIONS[payload.recommendation];
      const sure = `${Math.round(payload.confidence * 100)} % sure`;
      return { verb, about, said: payload.reason === '' ? sure : `${payload.reason} (${sure})`, tone };
    }
    case 'Objection': {
      const verb = payload.severity === 'critical' ? 'objects critically to' : 'objects to';
      const said =
        payload.reason === ''
          ? `severity: ${payload.severity}`
          : `${payload.reason} (severity: ${payload.severity})`;
      return { verb, about, said, tone: payload.severity === 'critical' ? 'bad' : 'caution' };
    }
    case 'Vote': {
      const [verb, tone] = VOTES[payload.vote];
      return { verb, about, said: payload.reason, tone };
    }
  }
}
