import fc from 'fast-check';
import { authorize } from '../../capability/authorize.js';
import { parseCapability } from '../../capability/capability.js';
import { compileCapabilities } from '../../capability/compiled-capabilities.js';
import { readMessage } from '../../envelope/read.js';
import type { JsonObject } from '../../json/json.js';
import type { Refusal } from '../../refusal/refusal.js';
import type { SpaceDecision } from '../space/space-decision.js';
import { createWorld, type World } from './world.js';

/** All senders, with their capabilities. `mallory` may only chat, and tries everything. */
export const CAPABILITIES: Readonly<Record<string, readonly string[]>> = {
  agent: ['mcp.proposal.*', 'mcpx.withdraw.proposal', 'chat.message'],
  rival: ['mcp.proposal.*', 'mcpx.withdraw.proposal', 'mcpx.reject.proposal'],
  reviewer: ['*'],
  second: ['mcp.request.tools/call:write_*', 'mcpx.reject.proposal', 'mcpx.status.proposal'],
  tools: ['mcp.response*', 'mcpx.announce.*', 'mcpx.status.proposal'],
  mallory: ['chat.message'],
};

const ACTORS = Object.keys(CAPABILITIES);
const COMPILED = new Map(
  ACTORS.map((name) => {
    const parsed = (CAPABILITIES[name] ?? []).map((pattern) => parseCapability(pattern));
    return [name, compileCapabilities(parsed.flatMap((result) => (result.ok ? [result.value] : [])))];
  }),
);

/** One event: a participant sends a message, time passes, or a participant joins or leaves. */
export type Step =
  | { readonly do: 'send'; readonly as: string; readonly message: JsonObject }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'toggle'; readonly who: string };

const PROPOSALS = ['p0', 'p1', 'p2'];
const REQUESTS = ['f0', 'f1', 'f2', 'f3'];

const actor = fc.constantFrom(...ACTORS);
const proposal = fc.constantFrom(...PROPOSALS);
const anyId = fc.constantFrom(
  ...PROPOSALS,
  ...REQUESTS,
  ...Array.from({ length: 60 }, (_, index) => `m${index}`),
);
const tool = fc.constantFrom('write_file', 'write_file', 'write_file', 'read_file');
const names = fc.uniqueArray(fc.constantFrom(...ACTORS, 'ghost'), { maxLength: 2 });
const someNames = fc.uniqueArray(fc.constantFrom(...ACTORS, 'ghost'), { minLength: 1, maxLength: 2 });
const params = fc.record({
  name: tool,
  arguments: fc.constantFrom({}, { path: '/a' }, { path: '/b', force: true }),
});

const targeting = fc.record(
  {
    preferred: someNames,
    exclusive: fc.boolean(),
    exclusive_timeout: fc.constantFrom(500, 2_000),
    fallback_to_broadcast: fc.boolean(),
    fallback_timeout: fc.constantFrom(700, 3_000),
  },
  { requiredKeys: ['preferred'] },
);
const proposalPayload = fc.record(
  { method: fc.constant('tools/call'), params, ttl: fc.constantFrom(1_000, 5_000), targeting },
  { requiredKeys: ['method', 'params'] },
);
const result = fc.constantFrom({ result: {} }, { error: { code: 1, message: 'no' } });

const mostly = <Value>(usual: fc.Arbitrary<Value>, other: fc.Arbitrary<Value>): fc.Arbitrary<Value> =>
  fc.oneof({ weight: 4, arbitrary: usual }, { weight: 1, arbitrary: other });

interface Speech {
  readonly weight: number;
  /** The usual sender; sometimes it is anyone, and sometimes the name is forged. */
  readonly as: readonly string[];
  readonly id: fc.Arbitrary<string>;
  readonly kind: string;
  readonly payload: fc.Arbitrary<JsonObject>;
  readonly correlationId?: fc.Arbitrary<string | string[]>;
  readonly to?: fc.Arbitrary<string[]>;
}

function sending({ weight, as, id, kind, payload, correlationId, to = names }: Speech) {
  const frame = fc.record({ id, kind: fc.constant(kind), payload, to });
  const reference = correlationId?.map((ids) => ({ correlationId: ids })) ?? fc.constant({});
  const forged = mostly(fc.constant({}), fc.record({ from: actor }));
  const arbitrary: fc.Arbitrary<Step> = fc.record({
    do: fc.constant('send' as const),
    as: mostly(fc.constantFrom(...as), actor),
    message: fc.tuple(frame, reference, forged).map((parts): JsonObject => Object.assign({}, ...parts)),
  });
  return { weight, arbitrary };
}

const batch = fc.oneof(proposal, fc.uniqueArray(proposal, { minLength: 1, maxLength: 3 }));
const call = fc.record({ method: fc.constant('tools/call'), params });
const toTools = mostly(fc.constant<string[]>(['tools']), names);
const request = fc.constantFrom(...REQUESTS);
const announcement = fc.constantFrom({ tools: [{ name: 'write_file' }] }, { tools: [{ name: 'read_file' }] });
const broadcast = fc.constant<string[]>([]);

const step: fc.Arbitrary<Step> = fc.oneof(
  sending({
    weight: 6,
    as: ['agent', 'rival'],
    id: mostly(proposal, anyId),
    kind: 'mcp.proposal.tools/call',
    payload: mostly(proposalPayload, fc.constant({ method: 'tools/call' })),
    to: mostly(broadcast, names),
  }),
  sending({
    weight: 6,
    as: ['reviewer', 'second'],
    id: request,
    kind: 'mcp.request.tools/call',
    payload: call,
    correlationId: proposal,
    to: toTools,
  }),
  sending({
    weight: 4,
    as: ['tools'],
    id: anyId,
    kind: 'mcp.response',
    payload: result,
    correlationId: request,
  }),
  sending({
    weight: 2,
    as: ['agent', 'rival'],
    id: anyId,
    kind: 'mcpx.withdraw.proposal',
    payload: fc.constant({}),
    correlationId: batch,
  }),
  sending({
    weight: 3,
    as: ['reviewer', 'second', 'rival'],
    id: anyId,
    kind: 'mcpx.reject.proposal',
    payload: fc.constant({ reason: 'no' }),
    correlationId: batch,
  }),
  sending({
    weight: 1,
    as: ['second', 'tools'],
    id: anyId,
    kind: 'mcpx.status.proposal',
    payload: fc.constant({ status: 'queued' }),
    correlationId: batch,
  }),
  sending({ weight: 1, as: ['tools'], id: anyId, kind: 'mcpx.announce.tools', payload: announcement }),
  sending({
    weight: 1,
    as: ['agent', 'mallory'],
    id: anyId,
    kind: 'chat.message',
    payload: fc.constant({ text: 'hi' }),
  }),
  sending({
    weight: 1,
    as: ['mallory'],
    id: anyId,
    kind: 'system.notice',
    payload: fc.constant({ notice: 'expired' }),
  }),
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 400, 1_000, 6_000) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('toggle' as const), who: actor }) },
);

/** Histories of up to 60 steps; about half of the messages are refused. */
export const history: fc.Arbitrary<Step[]> = fc.array(step, { maxLength: 60, size: 'max' });

/** The result of a message on the whole path: read, authorised, decided. */
export type Received = SpaceDecision | { readonly refused: Refusal };

/** A world for random histories: short times, everyone present. */
export function historyWorld(): World {
  return createWorld(ACTORS, { answerTimeout: 4_000, dedupWindow: 3_000 });
}

/** Sends a message the whole way, from text to records. */
export function receive(world: World, as: string, raw: JsonObject): Received {
  const reading = readMessage(JSON.stringify(raw), { from: as, now: world.now });
  if (!reading.ok) return { refused: reading.refusal };
  const { envelope } = reading.value;
  const capabilities = COMPILED.get(as);
  const violation = capabilities === undefined ? undefined : authorize(capabilities, envelope);
  return violation === undefined ? world.send(envelope) : { refused: violation };
}

/** Performs one step, with the checks that a gateway would make. */
export function take(world: World, action: Step): Received | undefined {
  if (action.do === 'send') return receive(world, action.as, action.message);
  if (action.do === 'wait') world.now += action.ms;
  else if (!world.present.delete(action.who)) world.present.add(action.who);
  for (const id of PROPOSALS) world.review(id);
  return undefined;
}
