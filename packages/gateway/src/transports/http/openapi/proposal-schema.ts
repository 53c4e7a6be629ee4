import type { JsonObject } from '@proffer/core/json';
import type { ProposalEnding } from '@proffer/core/operations';

/** What each reason for an ending means, and which fields of `ending` come with it (O-45). */
const ENDINGS: Readonly<Record<ProposalEnding['why'], string>> = {
  withdrawn: 'its proposer withdrew it (by, reason)',
  rejected: 'its proposer withdrew it because of this rejection (by, reason, message)',
  veto: 'a single rejection was enough under the policy entry (by, reason, message, entry)',
  impossible: 'after this rejection too few could approve it (by, reason, message, entry)',
  unanswered: 'the last escalation step declined it (approvedBy, rejectedBy)',
  reserved: 'none of those it was reserved for decided it (rejectedBy, unansweredBy)',
  dependency: 'a proposal it depends on failed (dependency, outcome)',
  not_allowed_now: 'approved, but no longer allowed when it was about to run (approver, code, message)',
  session: 'a committed session does not let it run (session, by, reason)',
  undecided: 'it expired before enough people decided (approvedBy, rejectedBy)',
  not_started: 'it expired after it was approved, before it could start (approver, waitsFor)',
};

const WHY = Object.keys(ENDINGS);
const MEANINGS = Object.entries(ENDINGS)
  .map(([why, meaning]) => `${why}: ${meaning}`)
  .join('; ');

/** A proposal as the gateway shows it. */
export const PROPOSAL: JsonObject = {
  type: 'object',
  description: 'The fields that programs may rely on. There are others, which may change.',
  additionalProperties: true,
  required: ['id', 'proposer', 'method', 'digest', 'phase', 'proposedAt', 'changedAt'],
  properties: {
    id: { type: 'string' },
    proposer: { type: 'string' },
    method: { type: 'string' },
    params: { type: 'object' },
    digest: { type: 'string', description: 'The digest of what would run. An approval names it.' },
    reason: { type: 'string', description: 'Why the proposer asks.' },
    phase: { type: 'string' },
    proposedAt: { type: 'integer', description: 'Milliseconds since 1970, as all times are.' },
    changedAt: { type: 'integer' },
    rejections: { type: 'object', description: 'By participant: the reason, a message, and when.' },
    counters: {
      type: 'array',
      description: 'Counter-offers, the oldest first; absent if there are none.',
      items: {
        type: 'object',
        properties: {
          id: { type: 'string' },
          by: { type: 'string' },
          answers: { type: 'string', description: 'The proposal, or another counter-offer.' },
          params: { type: 'object' },
          digest: { type: 'string' },
          amendment: { type: 'array', description: 'What it changes in what was proposed.' },
          reason: { type: 'string' },
          state: { enum: ['live', 'accepted', 'withdrawn'] },
          at: { type: 'integer' },
        },
      },
    },
    agreements: {
      type: 'array',
      description:
        'The committed sessions that decided about it, the oldest first; absent if there are none.',
      items: {
        type: 'object',
        properties: {
          session: { type: 'string' },
          mode: { type: 'string' },
          policy: { type: 'string' },
          commitment: { type: 'string', description: 'The id of the Commitment.' },
          commitmentHash: { type: 'string' },
          committedBy: { type: 'string' },
          positive: { type: 'boolean' },
          accepted: { type: 'array', items: { type: 'string' } },
          rejected: { type: 'array', items: { type: 'string' } },
          isCounted: { type: 'boolean', description: 'Whether what was accepted was counted as approvals.' },
        },
      },
    },
    fulfilment: { type: 'object', description: 'Who fulfilled it, what was changed, who runs it.' },
    wouldRun: {
      type: 'object',
      description: 'While it is pending: who would run it if it were approved now. Absent if nobody could.',
      properties: {
        name: { type: 'string' },
        isConnected: { type: 'boolean' },
        isProposer: { type: 'boolean', description: 'It runs its own calls, as a guard does.' },
        insteadOf: {
          type: 'string',
          description: 'Who served the tool before, if this participant would run it for the first time.',
        },
        newcomers: {
          type: 'object',
          description:
            'All participants here that would run it for the first time, each with the one that served the tool before.',
        },
        definition: { type: 'string', description: 'The digest of what it announced about the tool.' },
      },
    },
    progress: {
      type: 'object',
      description: 'While it is pending: how many approvals it has, of how many, and whose are missing.',
      properties: {
        given: { type: 'integer' },
        needed: { type: 'integer' },
        missing: { type: 'array', items: { type: 'string' } },
      },
    },
    signed: {
      type: 'boolean',
      description: 'While it is pending: true if each approval has to be signed with a key.',
    },
    dependencies: { type: 'object', description: 'The proposals it waits for, and those that failed.' },
    delegations: { type: 'array', description: 'Who delegated their review to whom, and until when.' },
    outcome: { type: 'object', description: 'How it ended: ok, error or unknown.' },
    ending: {
      type: 'object',
      required: ['why'],
      description: `Why it ended without running; absent if it is pending, is running or has run. ${MEANINGS}.`,
      properties: { why: { enum: WHY } },
      additionalProperties: true,
    },
    decision: {
      type: 'object',
      description: 'Absent while it is pending.',
      properties: {
        decision: { enum: ['fulfilled', 'rejected', 'withdrawn', 'expired', 'declined'] },
        by: { type: 'string', description: 'Absent if nobody decided, for example because it expired.' },
        why: { enum: WHY, description: 'Why it ended without running.' },
        reason: { type: 'string' },
        message: {
          type: 'string',
          description: 'The message that came with the reason of a rejection.',
        },
        amended: { type: 'boolean' },
        at: { type: 'integer' },
        took: { type: 'integer', description: 'Milliseconds from the proposal to the decision.' },
      },
    },
  },
};
