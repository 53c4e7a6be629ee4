import type { EnvelopeOf } from '../../wire/macp-envelope.js';
import type { MessageWords } from '../message-words.js';
import type { QuorumModePayloads } from './payloads.js';

const BALLOTS = {
  Approve: ['approves', 'good'],
  Reject: ['rejects', 'bad'],
  Abstain: ['abstains on', 'plain'],
} as const satisfies Record<string, readonly [verb: string, tone: MessageWords['tone']]>;

/** Describes the messages of Quorum Mode. */
export function describeQuorumMessage({
  message_type,
  payload,
}: EnvelopeOf<QuorumModePayloads>): MessageWords {
  const { request_id: about } = payload;
  if (message_type !== 'ApprovalRequest') {
    const [verb, tone] = BALLOTS[message_type];
    return { verb, about, said: payload.reason, tone };
  }
  const { action, summary, required_approvals: required } = payload;
  const needs = required === 1 ? 'needs 1 approval' : `needs ${required} approvals`;
  const said = [action, summary].filter((text) => text !== '').join(': ');
  return { verb: 'asks to approve', about, said: said === '' ? needs : `${said} (${needs})`, tone: 'plain' };
}
