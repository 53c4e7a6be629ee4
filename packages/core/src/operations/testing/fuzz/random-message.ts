import type { Envelope } from '../../../envelope/envelope.js';
import { defined } from '../../../json/defined.js';
import type { JsonObject, JsonValue } from '../../../json/json.js';
import { delegate, message } from '../world.js';
import { type Call, digestOf, paramsOf, randomCall } from './call.js';
import { DECIDERS, EXECUTORS, PROPOSERS } from './cast.js';
import type { Chronicle, Offered } from './chronicle.js';
import type { Random } from './random.js';

/** The inputs of a message: randomness, what is known, the time, and an id for it. */
export interface Speaking {
  readonly random: Random;
  readonly chronicle: Chronicle;
  readonly now: number;
  readonly id: string;
}

type MessageMaker = (speaking: Speaking) => Envelope | undefined;

const EVERYBODY = [...DECIDERS, ...PROPOSERS] as const;
const METHOD = 'tools/call';

/** A proposal under this id: alone, with dependencies, reserved, or for one executor. */
export function proposing({ random, chronicle, id }: Speaking): Envelope {
  const before = chronicle.proposals.filter(() => random.once(3)).map((offered) => offered.id);
  const to = random.once(8) ? [random.pick(DECIDERS)] : undefined;
  const payload: JsonObject = {
    method: METHOD,
    params: paramsOf(randomCall(random)),
    ...(random.once(2) ? { ttl: 10_000 + random.below(30_000) } : {}),
    ...(before.length === 0 ? {} : { depends_on: before }),
    ...(random.once(3) ? { on_failure: 'keep' } : {}),
    ...(random.once(6) ? { executor: random.pick(EXECUTORS) } : {}),
    ...(random.once(8) ? { grants: false } : {}),
    ...(to === undefined || random.once(2)
      ? {}
      : { targeting: { preferred: to, exclusive: true, exclusive_timeout: 5_000 } }),
  };
  const extra = defined({ to });
  return message(random.pick(PROPOSERS), id, `mcp.proposal.${METHOD}`, payload, extra);
}

/** An existing proposal, or an unknown id. */
function about({ random, chronicle }: Speaking): string {
  return chronicle.proposals.length === 0 ? 'p1' : random.pick(chronicle.proposals).id;
}

/** What a decision is about: mostly an offer, sometimes something else. */
function offered({ random, chronicle }: Speaking): Offered | undefined {
  const { proposals, counters } = chronicle;
  if (proposals.length === 0) return undefined;
  const one = counters.length > 0 && random.once(3) ? random.pick(counters) : random.pick(proposals);
  return random.once(6) ? { ...one, call: randomCall(random, one.call.tool) } : one;
}

const approving: MessageMaker = (speaking) => {
  const { random, chronicle, id } = speaking;
  const what = offered(speaking);
  if (what === undefined) return undefined;
  const seen = chronicle.versions.get(what.proposal) ?? 0;
  const payload: JsonObject = {
    digest: random.once(20) ? digestOf(randomCall(random)) : digestOf(what.call),
    ...(random.once(3) ? {} : { params: paramsOf(what.call) }),
    ...(random.once(8) ? { executor: random.pick(EXECUTORS) } : {}),
    ...shown(random, seen),
  };
  const { delegates } = chronicle;
  const from = delegates.length > 0 && random.once(3) ? random.pick(delegates) : random.pick(DECIDERS);
  return message(from, id, 'mcpx.approve.proposal', payload, { correlationId: what.proposal });
};

/** What the approver says that it was shown, true or not. */
function shown(random: Random, version: number): JsonObject {
  if (random.once(4)) return { seen: { version: Math.max(1, version - random.below(3)) } };
  return random.once(2) ? { seen: { insteadOf: random.pick(EXECUTORS) } } : {};
}

const requesting: MessageMaker = (speaking) => {
  const { id } = speaking;
  const what = offered(speaking);
  if (what === undefined) return undefined;
  return request(holder(speaking), id, what.call, { correlationId: what.proposal });
};

/** A participant that may use a grant, or anyone. */
function holder({ random, chronicle: { grants } }: Speaking): string {
  return grants.length > 0 && random.once(2) ? random.pick(grants).to : random.pick(EVERYBODY);
}

/** A plain request, without a proposal. */
const calling: MessageMaker = (speaking) =>
  request(holder(speaking), speaking.id, randomCall(speaking.random), { to: ['tools'] });

function request(
  from: string,
  id: string,
  call: Call,
  extra: { readonly correlationId?: string; readonly to?: readonly string[] },
): Envelope {
  const payload = { jsonrpc: '2.0', id: 1, method: METHOD, params: paramsOf(call) };
  return message(from, id, `mcp.request.${METHOD}`, payload, extra);
}

/** The executor of a call answers it, correctly or not; sometimes someone else does. */
const answering: MessageMaker = ({ random, chronicle, id }) => {
  if (chronicle.running.length === 0) return undefined;
  const { id: correlationId, executor } = random.pick(chronicle.running);
  const result = random.once(3) ? { error: { code: 1, message: 'no' } } : { result: {} };
  const payload = { jsonrpc: '2.0', id: 1, ...result };
  const from = random.once(10) ? random.pick(EXECUTORS) : executor;
  return message(from, id, `mcp.response.${METHOD}`, payload, { correlationId });
};

const rejecting: MessageMaker = (speaking) => {
  const { random, id } = speaking;
  const payload = { reason: random.pick(['busy', 'unsafe', 'unsafe']) };
  return message(random.pick(DECIDERS), id, 'mcpx.reject.proposal', payload, several(speaking));
};

const withdrawing: MessageMaker = (speaking) =>
  message(
    speaking.random.pick(PROPOSERS),
    speaking.id,
    'mcpx.withdraw.proposal',
    { reason: 'changed my mind' },
    several(speaking),
  );

/** One proposal, or a batch of them (O-35). */
function several(speaking: Speaking): { readonly correlationId: string | readonly string[] } {
  const { random, chronicle } = speaking;
  const ids = chronicle.proposals.map(({ id }) => id);
  return { correlationId: ids.length > 1 && random.once(3) ? ids : about(speaking) };
}

const renewing: MessageMaker = (speaking) => {
  const { random, id } = speaking;
  const payload = { ttl: 5_000 + random.below(40_000) };
  const extra = { correlationId: about(speaking) };
  return message(random.pick(PROPOSERS), id, 'mcpx.renew.proposal', payload, extra);
};

const countering: MessageMaker = (speaking) => {
  const { random, id } = speaking;
  const what = offered(speaking);
  if (what === undefined) return undefined;
  const payload = {
    params: paramsOf(randomCall(random, what.call.tool)),
    reason: 'rather this',
    ...(random.once(6) ? { executor: random.pick(EXECUTORS) } : {}),
  };
  const from = random.once(4) ? random.pick(PROPOSERS) : random.pick(DECIDERS);
  return message(from, id, 'mcpx.counter.proposal', payload, { correlationId: what.id });
};

const accepting: MessageMaker = ({ random, chronicle, id }) => {
  if (chronicle.counters.length === 0) return undefined;
  const { id: correlationId, proposal } = random.pick(chronicle.counters);
  const proposer = chronicle.proposals.find((each) => each.id === proposal)?.by ?? 'agent';
  const from = random.once(8) ? random.pick(EVERYBODY) : proposer;
  return message(from, id, 'mcpx.accept.counter', {}, { correlationId });
};

const delegating: MessageMaker = (speaking) => {
  const { random, now, id } = speaking;
  const to = random.once(4) ? undefined : random.pick([...DECIDERS, ...DECIDERS, ...PROPOSERS]);
  const until = now + random.below(20_000);
  const bounds = random.once(2) ? { until, proposal: about(speaking) } : { until };
  return delegate(id, random.pick(DECIDERS), to, bounds);
};

const GRANTABLE: readonly JsonValue[] = [
  'mcp.request.tools/call:write_*',
  'mcp.request.tools/call:pay',
  'mcp.request.*',
  'mcpx.accept.counter',
  'mcpx.approve.proposal',
];

const granting: MessageMaker = ({ random, id }) => {
  const payload: JsonObject = {
    to: random.pick(['agent', 'agent', 'cleo', 'tools', 'helper']),
    capabilities: [random.pick(GRANTABLE)],
    ...(random.once(2) ? { uses: 1 + random.below(2) } : {}),
    ...(random.once(2) ? { ttl: 5_000 + random.below(30_000) } : {}),
    ...(random.once(6) ? { session: true } : {}),
  };
  return message(random.pick(DECIDERS), id, 'mcpx.grant.capability', payload);
};

const revoking: MessageMaker = ({ random, chronicle, id }) => {
  if (chronicle.grants.length === 0) return undefined;
  const { id: correlationId, granter } = random.pick(chronicle.grants);
  const from = random.once(3) ? random.pick(EVERYBODY) : granter;
  return message(from, id, 'mcpx.revoke.capability', {}, { correlationId });
};

const pausing: MessageMaker = ({ random, id }) =>
  message(random.pick(['ann', 'bob']), id, 'mcpx.pause.approvals', {});
const resuming: MessageMaker = ({ random, id }) =>
  message(random.pick(['ann', 'bob', 'dora']), id, 'mcpx.resume.approvals', {});

const reporting: MessageMaker = (speaking) => {
  const payload = { status: 'processing' };
  const extra = { correlationId: about(speaking) };
  return message(speaking.random.pick(EXECUTORS), speaking.id, 'mcpx.status.proposal', payload, extra);
};

/** The messages, with their frequencies. */
const SAYINGS: readonly (readonly [times: number, saying: MessageMaker])[] = [
  [28, approving],
  [12, requesting],
  [9, calling],
  [10, answering],
  [4, rejecting],
  [2, withdrawing],
  [3, renewing],
  [7, countering],
  [6, accepting],
  [6, delegating],
  [6, granting],
  [2, revoking],
  [1, pausing],
  [3, resuming],
  [1, reporting],
];
const ALL_MAKERS = SAYINGS.flatMap(([times, saying]) => Array.from({ length: times }, () => saying));

/** A random message; `undefined` if there is nothing for it to be about. */
export function randomMessage(speaking: Speaking): Envelope | undefined {
  return speaking.random.pick(ALL_MAKERS)(speaking);
}
