import type { JsonObject } from '@proffer/core/json';
import {
  DECISION_MODE,
  HANDOFF_MODE,
  MULTI_ROUND_MODE,
  PROPOSAL_MODE,
  QUORUM_MODE,
  TASK_MODE,
} from '@proffer/core/negotiation';

/** One message, from buyer or seller. */
export type Said = readonly [who: string, type: string, payload: JsonObject];

/** How a buyer, who starts the session, and a seller get to an outcome in one mode. */
export interface SessionPlay {
  readonly mode: string;
  /** What opens it, all at once. */
  readonly opening: readonly Said[];
  /** What they then race with; the commitment is one of the competitors. */
  readonly racing: readonly Said[];
  /** Whatever happened in the race: after these, in order, some outcome can be committed. */
  readonly settling: readonly Said[];
}

const p1 = { proposal_id: 'p1' };
const p2 = { proposal_id: 'p2' };
const task = { task_id: 't1' };
const handoff = { handoff_id: 'h1' };
const request = { request_id: 'r1' };

const ASKED: Said = ['buyer', 'TaskRequest', { ...task, title: 'Count the stock' }];
const OFFERED: Said = ['buyer', 'HandoffOffer', { ...handoff, target_participant: 'seller' }];
const REQUESTED: Said = ['buyer', 'ApprovalRequest', { ...request, action: 'sell', required_approvals: 2 }];

/** A play for every mode. */
export const SESSION_PLAYS: readonly SessionPlay[] = [
  {
    mode: PROPOSAL_MODE,
    opening: [
      ['seller', 'Proposal', p1],
      ['buyer', 'Proposal', p2],
    ],
    racing: [
      ['buyer', 'Accept', p1],
      ['buyer', 'Accept', p2],
      ['seller', 'Accept', p1],
      ['seller', 'Accept', p2],
    ],
    settling: [
      ['buyer', 'Accept', p2],
      ['seller', 'Accept', p2],
    ],
  },
  {
    mode: DECISION_MODE,
    opening: [
      ['seller', 'Proposal', { ...p1, option: 'Ten' }],
      ['buyer', 'Proposal', { ...p2, option: 'Eight' }],
    ],
    racing: [
      ['buyer', 'Vote', { ...p1, vote: 'REJECT' }],
      ['seller', 'Vote', { ...p1, vote: 'APPROVE' }],
      ['seller', 'Objection', { ...p2, severity: 'high' }],
      ['buyer', 'Evaluation', { ...p2, recommendation: 'APPROVE', confidence: 0.5 }],
    ],
    settling: [
      ['buyer', 'Proposal', { ...p2, option: 'Eight' }],
      ['buyer', 'Vote', { ...p2, vote: 'APPROVE' }],
    ],
  },
  {
    mode: TASK_MODE,
    opening: [ASKED],
    racing: [
      ['seller', 'TaskAccept', task],
      ['seller', 'TaskUpdate', { ...task, progress: 0.5 }],
      ['seller', 'TaskComplete', task],
      ['seller', 'TaskFail', task],
    ],
    settling: [ASKED, ['seller', 'TaskAccept', task], ['seller', 'TaskComplete', task]],
  },
  {
    mode: HANDOFF_MODE,
    opening: [OFFERED],
    racing: [
      ['buyer', 'HandoffContext', { ...handoff, content_type: 'text/plain', context: 'bm90ZXM=' }],
      ['seller', 'HandoffAccept', handoff],
      ['seller', 'HandoffDecline', handoff],
    ],
    settling: [OFFERED, ['seller', 'HandoffAccept', handoff]],
  },
  {
    mode: QUORUM_MODE,
    opening: [REQUESTED],
    racing: [
      ['buyer', 'Approve', request],
      ['seller', 'Approve', request],
      ['seller', 'Reject', request],
      ['buyer', 'Abstain', request],
    ],
    settling: [REQUESTED, ['buyer', 'Approve', request], ['seller', 'Approve', request]],
  },
  {
    mode: MULTI_ROUND_MODE,
    opening: [
      ['buyer', 'Contribute', { value: '8' }],
      ['seller', 'Contribute', { value: '10' }],
    ],
    racing: [
      ['buyer', 'Contribute', { value: '9' }],
      ['seller', 'Contribute', { value: '9' }],
      ['seller', 'Contribute', { value: '8' }],
    ],
    settling: [
      ['buyer', 'Contribute', { value: '9' }],
      ['seller', 'Contribute', { value: '9' }],
    ],
  },
];
