import { authorize } from '../../capability/authorize.js';
import { type CapabilitySource, parseCapability } from '../../capability/capability.js';
import { type CompiledCapabilities, compileCapabilities } from '../../capability/compiled-capabilities.js';
import type { Envelope } from '../../envelope/envelope.js';
import { defined } from '../../json/defined.js';
import type { JsonObject, JsonValue } from '../../json/json.js';
import type { SealedRecord } from '../../record/record.js';
import { emptyStream, headAfter, type StreamHead, sealRecord } from '../../record/seal.js';
import { success } from '../../refusal/refusal.js';
import type { AgreedOutcome } from '../agreements/agreement.js';
import type { ParticipantRights } from '../context.js';
import { endSession, grantFor } from '../grants/use.js';
import type { AssertionCheck } from '../keys/check-assertion.js';
import type { NewKey } from '../keys/key.js';
import type { ArgumentCheck } from '../proposal/arguments.js';
import { operationDigest } from '../proposal/decide-propose.js';
import type { Proposal } from '../proposal/proposal.js';
import { isProposalRecord, type OperationRecord } from '../records.js';
import { type SpaceSettings, spaceSettings } from '../settings.js';
import { agreeInSpace, decideInSpace, reviewInSpace } from '../space/decide-in-space.js';
import { emptySpace, evolveSpace, proposalsWaitingFor, type SpaceState } from '../space/space.js';
import type { SpaceDecision } from '../space/space-decision.js';

export type Sealed = SealedRecord<OperationRecord>;

/** A space in one process: decides, seals, folds. Time stands still until a test moves it. */
export interface World {
  now: number;
  readonly present: Set<string>;
  /**
   * Participants not listed have none. Messages are sent unchecked; capabilities matter where a rule
   * asks for them.
   */
  readonly capabilities: Map<string, readonly CapabilitySource[]>;
  /** What arguments are checked with; `undefined` by default. */
  checkArguments: ArgumentCheck | undefined;
  /** What signatures are checked with; `undefined` by default. */
  checkAssertion: AssertionCheck | undefined;
  /** The key of the next registration; `undefined` by default. */
  newKey: NewKey | undefined;
  /** A participant's identity besides its name. */
  readonly people: Map<
    string,
    Pick<ParticipantRights, 'roles' | 'subject' | 'reviewOnly' | 'worksFor' | 'isConfigured' | 'isInvited'>
  >;
  /** The hash of the next token, for invitations; `undefined` by default. */
  newToken: string | undefined;
  readonly observers: Set<string>;
  /** Participants that the operator lets run their own proposals. */
  readonly runsOwnCalls: Set<string>;
  readonly space: SpaceState;
  readonly records: readonly Sealed[];
  /** Changes settings, as a restart with another configuration does. */
  configure(settings: Partial<SpaceSettings>): void;
  send(envelope: Envelope): SpaceDecision;
  /** Like a gateway accepting a message: its sender must have the capability, or a grant of it (O-41). */
  take(envelope: Envelope): SpaceDecision;
  /** A participant leaves the space for good. */
  leave(name: string): SpaceDecision;
  review(proposal: string): SpaceDecision;
  /** A session was committed that is about a call. */
  agree(outcome: AgreedOutcome): SpaceDecision;
  proposal(id: string): Proposal;
  /** The records that a decision appended. */
  types(decision: SpaceDecision): readonly string[];
}

export function createWorld(
  present: readonly string[] = ['agent', 'reviewer', 'tools'],
  settings: Partial<SpaceSettings> = {},
): World {
  const heads = new Map<string, StreamHead>();
  const records: Sealed[] = [];
  let space = emptySpace(spaceSettings({ name: 'main', ...settings }));
  const here = new Set(present);

  function apply(decision: SpaceDecision): SpaceDecision {
    for (const append of decision.appends ?? []) {
      let head = heads.get(append.stream) ?? emptyStream(append.stream);
      if (head.version !== append.expectedVersion) throw new Error(`version conflict on ${append.stream}`);
      for (const content of append.records) {
        const record: Sealed = sealRecord(content, head);
        head = headAfter(record);
        records.push(record);
        space = evolveSpace(space, record);
      }
      heads.set(append.stream, head);
    }
    return decision;
  }

  /** Like a gateway: when something happens to a proposal, its dependents are checked. */
  function applyAll(decision: SpaceDecision): SpaceDecision {
    apply(decision);
    for (const { records: appended } of decision.appends ?? []) {
      for (const record of appended) {
        if (!isProposalRecord(record)) continue;
        for (const id of proposalsWaitingFor(space, record.facts.proposal)) world.review(id);
      }
    }
    return decision;
  }

  const world: World = {
    now: 1_000_000,
    present: here,
    checkArguments: undefined,
    newToken: undefined,
    checkAssertion: undefined,
    newKey: undefined,
    people: new Map(),
    observers: new Set(),
    runsOwnCalls: new Set(),
    capabilities: new Map([['reviewer', ['*']]]),
    get space() {
      return space;
    },
    records,
    configure(changed) {
      space = { ...space, settings: { ...space.settings, ...changed } };
    },
    send: (envelope) => applyAll(decideInSpace(space, envelope, contextFor(envelope.from))),
    take(envelope) {
      const around = contextFor(envelope.from);
      const refused = authorize(around.sender.capabilities, envelope);
      if (refused === undefined) return world.send(envelope);
      const grant = grantFor(space, envelope, around)?.id;
      if (grant === undefined) return { refused };
      return applyAll(decideInSpace(space, envelope, { ...around, grant }));
    },
    leave(name) {
      here.delete(name);
      const append = endSession(space, name, world.now);
      return apply({ appends: append === undefined ? [] : [append] });
    },
    agree: (outcome) => applyAll(agreeInSpace(space, outcome, contextFor())),
    review: (proposal) => applyAll(reviewInSpace(space, proposal, contextFor())),
    proposal(id) {
      const proposal = space.proposals.get(id);
      if (proposal === undefined) throw new Error(`no proposal ${id}`);
      return proposal;
    },
    types: (decision) => decision.appends?.flatMap(({ records }) => records.map(({ type }) => type)) ?? [],
  };
  const contextFor = (from = '') => ({
    now: world.now,
    isPresent: (name: string) => here.has(name),
    checkArguments: world.checkArguments,
    newToken: world.newToken === undefined ? undefined : success(world.newToken),
    checkAssertion: world.checkAssertion,
    newKey: world.newKey,
    present: () => [...here],
    rightsOf: (name: string) => {
      const sources = world.capabilities.get(name);
      const runsOwnCalls = world.runsOwnCalls.has(name);
      if (sources === undefined && !runsOwnCalls) return undefined;
      return { capabilities: rightsOf(sources ?? []), runsOwnCalls, ...world.people.get(name) };
    },
    sender: {
      capabilities: rightsOf(world.capabilities.get(from) ?? []),
      isObserver: world.observers.has(from),
      runsOwnCalls: world.runsOwnCalls.has(from),
      ...world.people.get(from),
    },
  });
  return world;
}

function rightsOf(sources: readonly CapabilitySource[]): CompiledCapabilities {
  return compileCapabilities(
    sources.flatMap((source) => {
      const parsed = parseCapability(source);
      return parsed.ok ? [parsed.value] : [];
    }),
  );
}

type Extra = Partial<Pick<Envelope, 'to' | 'correlationId' | 'ts'>>;

export function message(
  from: string,
  id: string,
  kind: string,
  payload: JsonObject,
  extra: Extra = {},
): Envelope {
  return { protocol: 'mcpx/v0.1', ts: '2026-01-01T00:00:00Z', id, from, kind, payload, ...extra };
}

const WRITE = { name: 'write_file', arguments: { path: '/tmp/a', text: 'hello' } };

export function propose(id: string, payload: JsonObject = {}, extra: Extra = {}, from = 'agent'): Envelope {
  const proposed = { method: 'tools/call', params: WRITE, ...payload };
  return message(from, id, 'mcp.proposal.tools/call:write_file', proposed, extra);
}

export function fulfil(
  id: string,
  proposal: string,
  {
    from = 'reviewer',
    to = ['tools'],
    params = WRITE,
  }: { from?: string; to?: readonly string[]; params?: JsonObject } = {},
): Envelope {
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  return message(from, id, 'mcp.request.tools/call', request, { correlationId: proposal, to });
}

export function answer(
  id: string,
  request: string,
  payload: JsonObject = { result: {} },
  from = 'tools',
): Envelope {
  return message(
    from,
    id,
    'mcp.response.tools/call',
    { jsonrpc: '2.0', id: 1, ...payload },
    { correlationId: request },
  );
}

/** An approval of what was proposed, by default. */
export function approve(
  id: string,
  proposal: string,
  {
    from = 'reviewer',
    params = WRITE,
    digest = operationDigest('tools/call', params),
    executor,
  }: { from?: string; params?: JsonObject; digest?: string; executor?: string } = {},
): Envelope {
  const amended = params === WRITE ? {} : { params };
  const payload = { digest, ...amended, ...defined({ executor }) };
  return message(from, id, 'mcpx.approve.proposal', payload, { correlationId: proposal });
}

/** Delegates one's part; to nobody takes it back (O-34). */
export function delegate(
  id: string,
  from: string,
  to: string | undefined,
  { until = 2_000_000, proposal }: { readonly until?: number | string; readonly proposal?: string } = {},
): Envelope {
  const payload = to === undefined ? { revoke: true } : { to, until };
  return message(from, id, 'mcpx.delegate.review', payload, defined({ correlationId: proposal }));
}

export const SAFER = { name: 'write_file', arguments: { path: '/tmp/b', text: 'hello' } };

/** A counter-offer, with other params than the proposed ones. */
export function counter(
  id: string,
  answers: string,
  {
    from = 'reviewer',
    params = SAFER,
    ...more
  }: { from?: string; params?: JsonObject; executor?: string } = {},
): Envelope {
  const payload = { params, reason: 'not there', ...more };
  return message(from, id, 'mcpx.counter.proposal', payload, { correlationId: answers });
}

export function accept(id: string, counterOffer: string, from = 'agent', payload: JsonObject = {}): Envelope {
  return message(from, id, 'mcpx.accept.counter', payload, { correlationId: counterOffer });
}

/** Grants something for a while; by default as long as the participant is present. */
export function grant(
  id: string,
  capabilities: readonly JsonValue[],
  bounds: JsonObject = {},
  { from = 'reviewer', to = 'agent' }: { from?: string; to?: string } = {},
): Envelope {
  return message(from, id, 'mcpx.grant.capability', { to, capabilities, ...bounds });
}

export function revoke(id: string, granted: string, from = 'reviewer'): Envelope {
  return message(from, id, 'mcpx.revoke.capability', {}, { correlationId: granted });
}

export function withdraw(
  id: string,
  proposal: string | readonly string[],
  from = 'agent',
  reason = 'changed my mind',
): Envelope {
  return message(from, id, 'mcpx.withdraw.proposal', { reason }, { correlationId: proposal });
}

export function reject(id: string, proposal: string, from = 'reviewer', reason = 'unsafe'): Envelope {
  return message(from, id, 'mcpx.reject.proposal', { reason }, { correlationId: proposal });
}

export function status(id: string, proposal: string, value: string, from = 'reviewer'): Envelope {
  return message(from, id, 'mcpx.status.proposal', { status: value }, { correlationId: proposal });
}

export function announce(id: string, from: string, names: readonly string[]): Envelope {
  return message(from, id, 'mcpx.announce.tools', { tools: names.map((name) => ({ name })) });
}

export function chat(id: string, from: string, text: string, extra: Extra = {}): Envelope {
  return message(from, id, 'chat.message', { text }, extra);
}
