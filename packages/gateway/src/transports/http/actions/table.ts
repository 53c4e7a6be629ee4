import { type Action, remark } from './action.js';
import { composeApproval } from './approve.js';
import { composeAcceptance, composeCounter } from './counter.js';
import { composeGrant } from './grant.js';
import { composeProposal } from './propose.js';

const text = { type: 'string' };
const names = { type: 'array', items: text };

export const PROPOSE: Action = {
  path: '/proposals',
  summary: 'Propose an operation: a tool with its arguments, or any MCP method with its params.',
  fields: {
    tool: { ...text, description: 'Short for method `tools/call` with this `name` in its params.' },
    arguments: { type: 'object', description: 'Of the tool.' },
    method: text,
    params: { type: 'object' },
    to: { ...names, description: 'Whom to ask. Default everybody.' },
    ttl: { type: 'integer', description: 'Milliseconds until it expires.' },
    targeting: { type: 'object' },
    executor: { ...text, description: 'Who shall run it. Default whoever serves it.' },
    depends_on: {
      ...names,
      description:
        'Proposals that have to settle `ok` first. Approved before that, it is `approved` and waits.',
    },
    on_failure: {
      enum: ['decline', 'keep'],
      default: 'decline',
      description: 'What becomes of it when one of them ends otherwise: declined, or pending as before.',
    },
    reason: { ...text, maxLength: 1000, description: 'Why, in your words, for whoever decides.' },
    origin: {
      type: 'object',
      description: 'For whom you propose, and where: `client`, `version`, `user`, `session`, `folder`.',
    },
  },
  compose: composeProposal,
};

const DELEGATION = {
  to: { ...text, description: 'Who may approve and reject in your place.' },
  until: {
    type: ['string', 'integer'],
    description: 'Until when: RFC 3339, or milliseconds since 1970.',
  },
  revoke: { type: 'boolean', description: 'Take it back, in place of `to` and `until`.' },
};

export const GRANT: Action = {
  path: '/grants',
  about: 'grant',
  summary:
    'Let somebody do what you may do yourself: for a time, for a number of uses, or while it is connected.',
  fields: {
    to: { ...text, description: 'Who may do it.' },
    capabilities: { type: 'array', minItems: 1, maxItems: 32, description: 'As in the configuration.' },
    for: { ...text, description: 'How long from now, such as `1h`; in place of `until`.' },
    until: { description: 'A time as in RFC 3339, or in milliseconds since 1970.' },
    uses: { type: 'integer', minimum: 1, description: 'How many messages it is good for.' },
    session: { type: 'boolean', description: 'Whether it ends when they leave. So it does without a bound.' },
    reason: { ...text, maxLength: 1000, description: 'Why, in your words.' },
  },
  required: ['to', 'capabilities'],
  compose: composeGrant,
};

/** What can be done by one HTTP request, and the message that it stands for. To add one, add its row. */
export const ACTIONS: readonly Action[] = [
  PROPOSE,
  {
    path: '/proposals/*/approve',
    summary: 'Approve a proposal, as it is or with other params, and have it run.',
    fields: {
      digest: {
        ...text,
        description:
          'Of the params that shall run: the `digest` of the proposal if they are its own, or of a counter-offer.',
      },
      params: { type: 'object', description: 'To run in place of those that were proposed.' },
      executor: { ...text, description: 'Who shall run it. Default whoever serves it.' },
      batch: { ...text, description: 'The same for all that are approved in one action.' },
      seen: {
        type: 'object',
        description:
          'What you were shown: the `version` of the proposal, and the name and the definition of `wouldRun`. If somebody has rejected it since, or that changed, it is left alone (`changed_since_shown`).',
        properties: { version: { type: 'integer' }, executor: text, definition: text },
      },
    },
    required: ['digest'],
    compose: composeApproval,
  },
  {
    path: '/proposals/*/delegate',
    summary: 'Hand your part in the review of a proposal to somebody, or take it back.',
    fields: DELEGATION,
    compose: remark('mcpx.delegate.review'),
  },
  {
    path: '/delegation',
    summary: 'Hand your part in all reviews to somebody for a time, or take it back.',
    fields: DELEGATION,
    compose: (payload) => ({ kind: 'mcpx.delegate.review', payload }),
  },
  {
    path: '/proposals/*/reject',
    summary: 'Reject a proposal.',
    fields: {
      reason: { ...text, description: '`unsafe`, `policy`, `disagree`, …, or your own words.' },
      message: text,
    },
    required: ['reason'],
    compose: remark('mcpx.reject.proposal'),
  },
  {
    path: '/proposals/*/counter',
    summary: 'Offer other arguments in place of those that were proposed.',
    fields: {
      reason: { ...text, maxLength: 1000, description: 'Why, in your words.' },
      arguments: { type: 'object', description: 'Of the tool, in place of those that were proposed.' },
      params: { type: 'object', description: 'All of the params, in place of `arguments`.' },
      answers: { ...text, description: 'The counter-offer that this one answers. Default the proposal.' },
      executor: { ...text, description: 'Who shall run it. Default whoever serves it.' },
    },
    required: ['reason'],
    compose: composeCounter,
  },
  {
    path: '/proposals/*/accept',
    summary: 'Accept a counter-offer to a proposal of your own, and have it run.',
    fields: {
      counter: { ...text, description: 'Its id, as in `counters` of the proposal.' },
      digest: { ...text, description: 'Of what you accept: another one is refused. Default not checked.' },
    },
    required: ['counter'],
    compose: composeAcceptance,
  },
  {
    path: '/proposals/*/withdraw',
    summary: 'Withdraw a proposal of your own.',
    fields: { reason: text },
    compose: remark('mcpx.withdraw.proposal'),
  },
  {
    path: '/proposals/*/renew',
    summary: 'Give a pending proposal of your own more time.',
    fields: { ttl: { type: 'integer', description: 'Milliseconds from now until it expires.' } },
    required: ['ttl'],
    compose: remark('mcpx.renew.proposal'),
  },
  {
    path: '/proposals/*/status',
    summary: 'Say how far a decision on a proposal is.',
    fields: { status: { enum: ['considering', 'queued', 'processing', 'unable'] }, message: text },
    required: ['status'],
    compose: remark('mcpx.status.proposal'),
  },
  {
    path: '/pause',
    summary: 'Pause all approvals of the space. Rejecting and withdrawing still work.',
    fields: { reason: { ...text, maxLength: 1000, description: 'Why, in your words.' } },
    compose: (payload) => ({ kind: 'mcpx.pause.approvals', payload }),
  },
  {
    path: '/resume',
    summary: 'End the pause.',
    fields: { reason: { ...text, maxLength: 1000 } },
    compose: (payload) => ({ kind: 'mcpx.resume.approvals', payload }),
  },
  GRANT,
  {
    path: '/grants/*/revoke',
    about: 'grant',
    summary: 'Take back what you granted; an operator may take back any grant.',
    fields: { reason: { ...text, maxLength: 1000 } },
    compose: remark('mcpx.revoke.capability'),
  },
];
