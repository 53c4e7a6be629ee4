import type { EnvelopeOf } from '../../wire/macp-envelope.js';
import type { MessageWords } from '../message-words.js';
import type { HandoffModePayloads } from './payloads.js';

/** Describes the messages of Handoff Mode. */
export function describeHandoffMessage({
  message_type,
  payload,
}: EnvelopeOf<HandoffModePayloads>): MessageWords {
  const { handoff_id: id } = payload;
  switch (message_type) {
    case 'HandoffOffer': {
      const { target_participant, scope, reason } = payload;
      const said = [scope, reason].filter((text) => text !== '').join(': ');
      return { verb: 'offers', about: `${id} to ${target_participant}`, said, tone: 'plain' };
    }
    case 'HandoffContext':
      return { verb: 'explains', about: id, said: payload.content_type, tone: 'plain' };
    case 'HandoffAccept':
      return { verb: 'takes over', about: id, said: payload.reason, tone: 'good' };
    case 'HandoffDecline':
      return { verb: 'declines', about: id, said: payload.reason, tone: 'bad' };
  }
}
