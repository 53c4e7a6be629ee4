import { type Refusal, refuse } from '@proffer/core';
import { defined, describe, type JsonObject, textOf } from '@proffer/core/json';
import { offeredParams } from '@proffer/core/operations';
import { parseDuration } from '../../../config/index.js';
import { refuseUnseen } from '../spaces/seen-proposal.js';
import { type Action, type ActionMessage, type ActionSubject, remark } from './action.js';
import { composeAcceptance, composeCounter } from './counter.js';

const text = { type: 'string' };
const names = { type: 'array', items: text };

export const PROPOSE: Action = {
  path: '/proposals',
  summary: 'Propose an operation: a tool with its arguments, or any MCP method with its params.',
  fields: {
    tool: { ...text, description: 'Short for method `tools/call` with this `name` in its params.' },
    arguments: { type: 'object', description: 'The arguments of the tool.' },
    method: text,
    params: { type: 'object' },
    to: { ...names, description: 'Whom to ask. Default: everyone.' },
    ttl: { type: 'integer', description: 'Milliseconds until it expires.' },
    targeting: { type: 'object' },
    executor: { ...text, description: 'Who runs it. Default: whoever serves it.' },
    depends_on: {
      ...names,
      description:
        'Proposals that have to settle `ok` first. If this one is approved before that, its state is `approved`, and it waits.',
    },
    on_failure: {
      enum: ['decline', 'keep'],
      default: 'decline',
      description:
        'What happens to this proposal if one of them ends in another way: it is declined, or stays pending.',
    },
    grants: {
      type: 'boolean',
      default: true,
      description: 'Whether a grant that covers it runs it at once. With `false`, people are always asked.',
    },
    reason: { ...text, maxLength: 1000, description: 'Why, in your own words, for the reviewers.' },
    origin: {
      type: 'object',
      description:
        'On whose behalf you propose, and where: `client`, `version`, `user`, `session`, `folder`.',
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
  revoke: { type: 'boolean', description: 'End the delegation; instead of `to` and `until`.' },
};

const SIGNATURE = {
  type: 'object',
  required: ['key', 'at', 'digests', 'signature'],
  properties: {
    key: { ...text, description: 'The id of the key.' },
    at: { type: 'integer', description: 'When it was signed: milliseconds since 1970.' },
    digests: { ...names, maxItems: 100, description: 'The digests of all decisions that it covers.' },
    signature: { ...text, description: 'Base64url.' },
    authenticatorData: { ...text, description: 'Of a passkey: base64url.' },
    clientDataJSON: { ...text, description: 'Of a passkey: base64url.' },
  },
};

export const GRANT: Action = {
  path: '/grants',
  about: 'grant',
  summary:
    'Grant capabilities that you have yourself: for a time, a number of uses, a session, or while the grantee is connected.',
  fields: {
    to: { ...text, description: 'Who may do it.' },
    capabilities: { type: 'array', minItems: 1, maxItems: 32, description: 'As in the configuration.' },
    for: { ...text, description: 'How long from now, such as `1h`; instead of `until`.' },
    until: { description: 'An RFC 3339 time, or milliseconds since 1970.' },
    uses: { type: 'integer', minimum: 1, description: 'How many messages it is good for.' },
    session: {
      type: ['boolean', 'string'],
      description:
        'A session: only for proposals whose `origin` names it, 12 hours at most unless you set another limit. `true`: until the holder disconnects, which is the default if no other limit is set.',
    },
    reason: { ...text, maxLength: 1000, description: 'Why, in your own words.' },
  },
  required: ['to', 'capabilities'],
  compose: composeGrant,
};

/** Everything that can be done with one HTTP request, and its message. To add one, add a row. */
export const ACTIONS: readonly Action[] = [
  PROPOSE,
  {
    path: '/proposals/{id}/approve',
    summary: 'Approve a proposal, unchanged or with other params, and run it.',
    fields: {
      digest: {
        ...text,
        description:
          'The digest of the params to run: the `digest` of the proposal if they are unchanged, or of a counter-offer.',
      },
      params: { type: 'object', description: 'The params to run instead of the proposed ones.' },
      executor: { ...text, description: 'Who runs it. Default: whoever serves it.' },
      batch: { ...text, description: 'An id that all proposals approved in one action share.' },
      seen: {
        type: 'object',
        description:
          'What you were shown: the `version` of the proposal, and the name and the definition of `wouldRun`. If any of this has changed, or someone has rejected the proposal since, the approval is refused (`changed_since_shown`). If `wouldRun.insteadOf` is set, the approval is refused (`new_executor`) unless `insteadOf` says that you saw it.',
        properties: { version: { type: 'integer' }, executor: text, insteadOf: text, definition: text },
      },
      signature: {
        ...SIGNATURE,
        description:
          'The signature of the decision by a key of yours, if one is demanded (`signed` of the proposal). Without it, the refusal `signature_required` says in `decision` what is to be signed.',
      },
    },
    required: ['digest'],
    compose: composeApproval,
  },
  {
    path: '/proposals/{id}/delegate',
    summary: 'Delegate your review of a proposal, or end the delegation.',
    fields: DELEGATION,
    compose: remark('mcpx.delegate.review'),
  },
  {
    path: '/delegation',
    summary: 'Delegate all your reviews for a while, or end the delegation.',
    fields: DELEGATION,
    compose: (payload) => ({ kind: 'mcpx.delegate.review', payload }),
  },
  {
    path: '/proposals/{id}/reject',
    summary: 'Reject a proposal.',
    fields: {
      reason: { ...text, description: '`unsafe`, `policy`, `disagree`, …, or your own words.' },
      message: text,
    },
    required: ['reason'],
    compose: remark('mcpx.reject.proposal'),
  },
  {
    path: '/proposals/{id}/counter',
    summary: 'Offer different arguments instead of the proposed ones.',
    fields: {
      reason: { ...text, maxLength: 1000, description: 'Why, in your own words.' },
      arguments: { type: 'object', description: 'The arguments of the tool, instead of the proposed ones.' },
      params: { type: 'object', description: 'All params, instead of `arguments`.' },
      answers: { ...text, description: 'The counter-offer that this one answers. Default: the proposal.' },
      executor: { ...text, description: 'Who runs it. Default: whoever serves it.' },
    },
    required: ['reason'],
    compose: composeCounter,
  },
  {
    path: '/proposals/{id}/accept',
    summary: 'Accept a counter-offer to your own proposal, and run it.',
    fields: {
      counter: { ...text, description: 'The id of the counter-offer, as in `counters` of the proposal.' },
      digest: {
        ...text,
        description: 'The digest of what you accept; any other is refused. Default: not checked.',
      },
    },
    required: ['counter'],
    compose: composeAcceptance,
  },
  {
    path: '/proposals/{id}/take-back',
    summary:
      'Take back your approval; possible until enough people have approved. This does not reject the proposal.',
    fields: {},
    compose: (_body, { id }) => ({
      kind: 'mcpx.approve.proposal',
      correlationId: id,
      payload: { revoke: true },
    }),
  },
  {
    path: '/proposals/{id}/withdraw',
    summary: 'Withdraw your own proposal.',
    fields: { reason: text },
    compose: remark('mcpx.withdraw.proposal'),
  },
  {
    path: '/proposals/{id}/renew',
    summary: 'Extend your own pending proposal.',
    fields: { ttl: { type: 'integer', description: 'Milliseconds from now until it expires.' } },
    required: ['ttl'],
    compose: remark('mcpx.renew.proposal'),
  },
  {
    path: '/proposals/{id}/status',
    summary: 'Report the progress of a decision.',
    fields: {
      status: { enum: ['considering', 'queued', 'processing', 'unable', 'revealed'] },
      message: text,
    },
    required: ['status'],
    compose: remark('mcpx.status.proposal'),
  },
  {
    path: '/pause',
    summary: 'Pause all approvals in the space. Rejecting and withdrawing still work.',
    fields: { reason: { ...text, maxLength: 1000, description: 'Why, in your own words.' } },
    compose: (payload) => ({ kind: 'mcpx.pause.approvals', payload }),
  },
  {
    path: '/resume',
    summary: 'End the pause.',
    fields: { reason: { ...text, maxLength: 1000 } },
    compose: (payload) => ({ kind: 'mcpx.resume.approvals', payload }),
  },
  {
    path: '/keys/codes',
    summary:
      'Allow a participant to register a key, as an operator: `key_code` in the answer is a code that counts once.',
    fields: {
      participant: { ...text, description: 'Who may register a key.' },
      ttl: { type: 'integer', description: 'Milliseconds from now until it ends. Default: one day.' },
      reason: { ...text, maxLength: 1000 },
    },
    required: ['participant'],
    compose: (payload) => ({ kind: 'mcpx.allow.key', payload }),
  },
  {
    path: '/keys',
    summary: 'Register a key of yours to sign decisions with, by a code or by the signature of another key.',
    fields: {
      at: { type: 'integer', description: 'When it was made: milliseconds since 1970.' },
      passkey: {
        type: 'object',
        description: 'The answer of a browser to `navigator.credentials.create()`.',
      },
      ed25519: {
        type: 'object',
        required: ['key', 'signature'],
        properties: { key: text, signature: text },
        description: 'A public key, and its signature of the registration; both in base64url.',
      },
      label: { ...text, maxLength: 100, description: 'What you call it.' },
      code: { ...text, description: 'The code of an operator.' },
      signature: { ...SIGNATURE, description: 'Instead of a code: by a key that you have registered.' },
    },
    required: ['at'],
    compose: (payload) => ({ kind: 'mcpx.register.key', payload }),
  },
  {
    path: '/keys/{id}/revoke',
    summary: 'Revoke a key of yours; an operator may revoke any key.',
    fields: {
      participant: { ...text, description: 'Whose key it is. Default: yours.' },
      reason: { ...text, maxLength: 1000 },
    },
    compose: (payload, { id: key }) => ({ kind: 'mcpx.unregister.key', payload: { ...payload, key } }),
  },
  GRANT,
  {
    path: '/grants/{id}/revoke',
    about: 'grant',
    summary: 'Revoke a grant that you made; an operator may revoke any grant.',
    fields: { reason: { ...text, maxLength: 1000 } },
    compose: remark('mcpx.revoke.capability'),
  },
];

/** `{ for: "1h" }` is `ttl` in human form. */
function composeGrant({ for: given, ...payload }: JsonObject): ActionMessage | Refusal {
  const kind = 'mcpx.grant.capability';
  if (given === undefined) return { kind, payload };
  const field = 'for';
  if (payload['until'] !== undefined)
    return refuse('invalid_field', 'The body has both for and until.', { field, expected: 'one of them' });
  const time = typeof given === 'string' ? parseDuration(given) : undefined;
  if (time === undefined || time === 0) {
    const expected = 'a duration such as 30m, 1h or 1d';
    return refuse('invalid_field', `for is ${describe(given)}.`, { field, found: given, expected });
  }
  return { kind, payload: { ...payload, ttl: time } };
}

/** `{ tool, arguments? }` is short for `{ method: "tools/call", params: { name, arguments } }`. */
function composeProposal({ tool, arguments: given, to, ...payload }: JsonObject): ActionMessage | Refusal {
  const { method, params } = payload;
  if (tool === undefined && method === undefined)
    return unclear('missing_field', 'The body names nothing to run.');
  if (tool !== undefined && (method !== undefined || params !== undefined)) {
    return unclear('invalid_field', 'The body has tool together with method or params.');
  }
  if (tool === undefined && given !== undefined) {
    return unclear('invalid_field', 'The body has arguments, but no tool.');
  }
  const called = {
    method: 'tools/call',
    params: { name: tool, ...defined({ arguments: given }) },
  };
  const operation = tool === undefined ? payload : { ...payload, ...called };
  return {
    kind: `mcp.proposal.${textOf(operation.method)}`,
    // Wrong fields are found when the message is parsed, as for every other message.
    ...(to === undefined ? {} : { to: to as ActionMessage['to'] & object }),
    payload: operation,
  };
}

function unclear(code: 'missing_field' | 'invalid_field', what: string): Refusal {
  return refuse(code, what, { field: 'tool', expected: 'either tool and arguments, or method and params' });
}

/**
 * The request that fulfils the proposal (O-11), with the digest that its sender was shown: core runs what has
 * that digest, or nothing. The kind names the proposed tool, so that a request for another one is refused and
 * never runs without a proposal (O-6).
 */
async function composeApproval(
  { digest, params, executor, batch, seen, signature }: JsonObject,
  { id, proposal: find }: ActionSubject,
): Promise<ActionMessage | Refusal> {
  const proposal = await find();
  if (proposal === undefined) return refuseUnseen(id);
  const { method, subject } = proposal;
  const runs = params ?? offeredParams(proposal, digest);
  return {
    kind: `mcp.request.${method}${subject === undefined ? '' : `:${subject.name}`}`,
    correlationId: id,
    ...(executor === undefined ? {} : { to: [executor as string] }),
    payload: {
      jsonrpc: '2.0',
      ...(method.startsWith('notifications/') ? {} : { id: 1 }),
      method,
      ...defined({ params: runs }),
      digest,
      ...defined({ batch, seen, signature }),
    },
  };
}
