import { authorize, isGrantable } from '../../capability/authorize.js';
import { type Envelope, GATEWAY, PROTOCOL } from '../../envelope/envelope.js';
import { sha256 } from '../../hash/sha256.js';
import { quote } from '../../json/describe.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import type { DecisionContext } from '../context.js';
import { refusePaused } from '../pause/pause.js';
import { type ProposalRecord, participantStream } from '../records.js';
import type { NoticePayload } from '../routing/notice.js';
import type { SpaceState } from '../space/space.js';
import type { SpaceDecision, StreamAppend } from '../space/space-decision.js';
import {
  compiledSources,
  type Grant,
  type Grantable,
  type GrantEnded,
  type GrantUsed,
  grantById,
  isInForce,
  NO_GRANTS,
} from './grant.js';

type Knowing = Pick<DecisionContext, 'now' | 'rightsOf'>;

/**
 * The grant that allows a message which the sender's own capabilities do not (O-41); `undefined` if
 * none does. An unlimited one comes first, so that no use is spent needlessly.
 */
export function grantFor(space: SpaceState, message: Grantable, knowing: Knowing): Grant | undefined {
  const grants = space.participants.get(message.from)?.grants;
  if (grants === undefined || grants.length === 0) return undefined;
  const covering = grants.filter((grant) => covers(space, grant, message, knowing));
  return covering.find(({ left }) => left === undefined) ?? covering[0];
}

/**
 * The grant must be in force, name the message, come from its session if it has one, and allow nothing that
 * its granter may not send, then or now. Grants of a removed granter (O-52) are void. For one who signs in
 * elsewhere and is offline that is unknown, but the grant ends on its own.
 */
function covers(space: SpaceState, grant: Grant, message: Grantable, { now, rightsOf }: Knowing): boolean {
  if (!isInForce(space, grant, now) || !isGrantable(message.kind)) return false;
  const { capabilities, within, granter, session, configured } = grant;
  if (typeof session === 'string' && session !== message.session) return false;
  if (authorize(compiledSources(capabilities), message) !== undefined) return false;
  if (authorize(compiledSources(within), message) !== undefined) return false;
  const current = rightsOf?.(granter);
  if (current === undefined) return configured !== true;
  return authorize(current.capabilities, message) === undefined;
}

/**
 * A decision about a message based on a grant (O-41): one use is counted before it, in the same
 * append if it is the same stream, else in one that must succeed first. Refused if the grant no
 * longer allows it.
 */
export function decideByGrant(
  space: SpaceState,
  envelope: Envelope,
  context: DecisionContext & { readonly grant: string },
  decision: SpaceDecision,
): SpaceDecision {
  if (decision.appends === undefined) return decision;
  // A call under a grant was approved beforehand, so a pause stops it, too.
  const paused = envelope.kind.startsWith('mcp.request.') ? refusePaused(space) : undefined;
  if (paused !== undefined) return { refused: paused };
  const use = useGrant(space, context.grant, envelope, context);
  if (use.over) return { refused: refuseEndedGrant(envelope, context) };
  const { append } = use;
  if (append === undefined) return decision;
  const [first, ...others] = decision.appends;
  if (first?.stream !== append.stream)
    return { ...decision, appends: [append, ...decision.appends], inOrder: true };
  const both = { ...append, records: [...append.records, ...first.records] };
  return { ...decision, appends: [both, ...others] };
}

function refuseEndedGrant(envelope: Envelope, { sender }: DecisionContext): Refusal {
  const own = sender === undefined ? undefined : authorize(sender.capabilities, envelope);
  return own ?? refuse('capability_violation', `The grant of ${quote(envelope.from)} has ended.`);
}

/** The precondition of a message based on a grant. */
type GrantUse =
  /** The grant no longer allows it. */
  | { readonly over: true; readonly append?: never }
  /**
   * One use must be counted, durably, before the message is decided. `undefined` if uses are not
   * counted.
   */
  | { readonly over: false; readonly append?: StreamAppend };

/** What counting a use needs. */
function useGrant(space: SpaceState, id: string, envelope: Envelope, knowing: Knowing): GrantUse {
  const grant = grantById(space, id);
  if (grant?.to !== envelope.from || !covers(space, grant, envelope, knowing)) return { over: true };
  const append = countUse(space, grant, { message: envelope.id }, knowing.now);
  return append === undefined ? { over: false } : { over: false, append };
}

/**
 * What must be in the journal before a proposal runs by a grant: one more use. `undefined` if none
 * does, or if uses are not counted.
 */
export function countGranted(
  space: SpaceState,
  records: readonly ProposalRecord[],
): StreamAppend | undefined {
  if (space.grants.size === 0) return undefined;
  const run = records.find((record) => record.type === 'fulfilled');
  const grant = run?.facts.grant === undefined ? undefined : grantById(space, run.facts.grant);
  if (run === undefined || grant === undefined) return undefined;
  const { proposal } = run.facts;
  // The use was counted before, and then another gateway was faster or this one was killed. The id is
  // taken for ever, so it runs once for that use.
  if (grant.spentOn === proposal) return undefined;
  return countUse(space, grant, { message: proposal, runs: true }, run.time);
}

function countUse(
  space: SpaceState,
  grant: Grant,
  on: Pick<GrantUsed['facts'], 'message' | 'runs'>,
  now: number,
): StreamAppend | undefined {
  if (grant.left === undefined) return undefined;
  const { id, to: participant } = grant;
  const left = grant.left - 1;
  const record: GrantUsed = {
    type: 'grant_used',
    ...found(space, grant, now, { notice: 'grant_used', left, message: on.message }),
    facts: { participant, grant: id, ...on, left },
  };
  return appendTo(space, participant, [record]);
}

/** Ends the grants that last as long as a participant is present; `undefined` if there are none. */
export function endSession(space: SpaceState, participant: string, now: number): StreamAppend | undefined {
  const { grants = NO_GRANTS } = space.participants.get(participant) ?? {};
  const ended: GrantEnded[] = [];
  for (const grant of grants) {
    if (grant.session !== true) continue;
    const said = found(space, grant, now, { notice: 'grant_ended', why: 'session_over' }, ended.length);
    const facts = { participant, grant: grant.id, why: 'session_over' } as const;
    ended.push({ type: 'grant_ended', ...said, facts });
  }
  return ended.length === 0 ? undefined : appendTo(space, participant, ended);
}

function appendTo(space: SpaceState, participant: string, records: StreamAppend['records']): StreamAppend {
  const expectedVersion = space.participants.get(participant)?.version ?? 0;
  return { stream: participantStream(space.settings.name, participant), expectedVersion, records };
}

/** What the gateway found, and the notice to the participant and the granter. */
function found(space: SpaceState, grant: Grant, now: number, payload: NoticePayload, index = 0) {
  const version = (space.participants.get(grant.to)?.version ?? 0) + index + 1;
  const envelope: Envelope = {
    protocol: PROTOCOL,
    id: `system:${sha256(`${grant.to}#${grant.id}#${version}`).slice(0, 32)}`,
    ts: new Date(now).toISOString(),
    from: GATEWAY,
    to: [grant.to, grant.granter],
    kind: 'system.notice',
    correlationId: grant.id,
    payload: { ...payload, grant: grant.id },
  };
  return { time: now, principal: GATEWAY, envelope } as const;
}
