import { type Action, remark } from './action.js';
import { composeApproval } from './approve.js';
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
  },
  compose: composeProposal,
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
        description: 'Of the params that shall run: the `digest` of the proposal if they are its own.',
      },
      params: { type: 'object', description: 'To run in place of those that were proposed.' },
      executor: { ...text, description: 'Who shall run it. Default whoever serves it.' },
    },
    required: ['digest'],
    compose: composeApproval,
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
];
