import { namesKind } from '../../capability/authorize.js';
import type { Envelope } from '../../envelope/envelope.js';
import { quote } from '../../json/describe.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import type { DecisionContext } from '../context.js';
import { checkOther } from '../grants/decide-grant.js';
import { endedByRemoval } from '../membership/given.js';
import { checkKnown } from '../membership/kick.js';
import { fingerprint } from '../proposal/fingerprint.js';
import type { Recognisable, Recorded } from '../records.js';
import type { SpaceState } from '../space/space.js';

/** The last pause of a participant (O-54). Times in milliseconds since 1970. */
export type ParticipantPause = {
  readonly by: string;
  readonly at: number;
  /** Absent if only somebody else can end it. */
  readonly until?: number;
  readonly reason?: string;
};

type AboutOne = Recognisable & { readonly participant: string; readonly audience: readonly string[] };

/** Somebody may begin nothing new, until it is resumed or the time is over (O-54). */
export type ParticipantPaused = Recorded<
  'participant_paused',
  AboutOne & { readonly until?: number; readonly reason?: string }
>;
export type ParticipantResumed = Recorded<'participant_resumed', AboutOne>;

/**
 * A pause (O-54). `undefined` without a capability that names the kind: then it is a request between participants, which its
 * addressee may heed.
 */
export function decidePauseOf(
  space: SpaceState,
  envelope: Envelope,
  context: DecisionContext,
): { readonly record: ParticipantPaused } | { readonly refused: Refusal } | undefined {
  const { from, payload, to = [] } = envelope;
  if (!mayEnforce(envelope, context)) return undefined;
  const [name, ...others] = to;
  if (name === undefined || others.length > 0) return { refused: refuseSeveral(to) };
  const refused =
    checkOther(from, { field: 'to', name }) ??
    checkKnown(space, name, context) ??
    checkPausable(envelope, name, context);
  if (refused !== undefined) return { refused };
  const { timeout_seconds: seconds, reason } = payload;
  const facts = {
    ...aboutOne(envelope, name),
    ...(typeof seconds === 'number' ? { until: context.now + Math.ceil(seconds * 1_000) } : {}),
    ...(typeof reason === 'string' ? { reason } : {}),
  };
  return { record: { type: 'participant_paused', time: context.now, principal: from, envelope, facts } };
}

/**
 * The end of a pause, by whoever paused or may pause (O-54). `undefined` if it is addressed to nobody who is paused: so a
 * participant documents that its time is over.
 */
export function decideResumeOf(
  space: SpaceState,
  envelope: Envelope,
  context: DecisionContext,
): { readonly record: ParticipantResumed } | { readonly refused: Refusal } | undefined {
  const { from, kind, to = [] } = envelope;
  const { now, sender } = context;
  const name = to.find((each) => pauseInForce(space, each, now) !== undefined);
  if (name === undefined) return undefined;
  if (to.length > 1) return { refused: refuseSeveral(to) };
  const own = checkOther(from, { field: 'to', name });
  if (own !== undefined) return { refused: own };
  const by = pauseInForce(space, name, now)?.by ?? '';
  if (by !== from && !mayEnforce(envelope, context)) {
    const what = `${quote(name)} was paused by ${by}, and no capability of ${quote(from)} names ${quote(kind)}.`;
    const yours = sender?.capabilities.sources ?? [];
    return {
      refused: refuse('capability_violation', what, { attempted_kind: kind, your_capabilities: yours }),
    };
  }
  const facts = aboutOne(envelope, name);
  return { record: { type: 'participant_resumed', time: now, principal: from, envelope, facts } };
}

/** The state after a record of its stream. */
export function participantPauseAfter(
  record: ParticipantPaused | ParticipantResumed,
): ParticipantPause | undefined {
  if (record.type === 'participant_resumed') return undefined;
  const { until, reason } = record.facts;
  return {
    by: record.principal,
    at: record.time,
    ...(until === undefined ? {} : { until }),
    ...(reason === undefined ? {} : { reason }),
  };
}

/** Why a paused participant may not send a message now; what ends or answers something goes through. */
export function refuseWhilePaused(space: SpaceState, envelope: Envelope, now: number): Refusal | undefined {
  const pause = pauseInForce(space, envelope.from, now);
  if (pause === undefined || goesThrough(envelope)) return undefined;
  const { by, until, reason } = pause;
  const end = until === undefined ? '' : ` until ${new Date(until).toISOString()}`;
  const why = reason === undefined ? '' : `: ${reason}`;
  const message = `${by} paused ${quote(envelope.from)}${end}${why}`;
  return refuse('paused', message.endsWith('.') ? message : `${message}.`, pause);
}

function pauseInForce(space: SpaceState, name: string, now: number): ParticipantPause | undefined {
  const pause = space.participants.get(name)?.pause;
  if (pause === undefined || (pause.until !== undefined && pause.until <= now)) return undefined;
  return endedByRemoval(space, pause) ? undefined : pause;
}

/** Acknowledgements, answers and reports; what ends something; and what it serves, so that it can come back. */
const THROUGH: ReadonlySet<string> = new Set([
  'chat.acknowledge',
  'chat.cancel',
  'reasoning.cancel',
  'stream.close',
  'participant.status',
  'participant.compact-done',
  'participant.resume',
  'mcp.notification.notifications/cancelled',
  'mcp.notification.notifications/progress',
  'mcpx.status.proposal',
  'mcpx.withdraw.proposal',
  'mcpx.reject.proposal',
  'mcpx.revoke.capability',
  'mcpx.unregister.key',
  'mcpx.pause.approvals',
]);

function goesThrough({ kind, payload }: Envelope): boolean {
  return (
    THROUGH.has(kind) ||
    kind === 'mcp.response' ||
    kind.startsWith('mcp.response.') ||
    kind.startsWith('mcpx.announce.') ||
    (kind === 'mcpx.approve.proposal' && payload['revoke'] === true)
  );
}

function mayEnforce(envelope: Envelope, { sender }: DecisionContext): boolean {
  return sender !== undefined && namesKind(sender.capabilities, envelope);
}

/** Whoever may pause others is paused only by one who may do everything: else the first to pause would rule. */
function checkPausable(
  { from, kind, payload }: Envelope,
  name: string,
  { sender, rightsOf }: DecisionContext,
): Refusal | undefined {
  const rights = rightsOf?.(name);
  const mayPause =
    rights !== undefined && namesKind(rights.capabilities, { from, kind, payload, to: 'some' });
  if (!mayPause || sender?.capabilities.sources.includes('*') === true) return undefined;
  return refuse('not_pausable', `${quote(name)} may pause others, too.`, { participant: name });
}

function refuseSeveral(to: readonly string[]): Refusal {
  const expected = 'the name of one participant';
  return refuse('invalid_field', `to names ${to.length} participants; expected ${expected}.`, {
    field: 'to',
    found: to,
    expected,
  });
}

function aboutOne(envelope: Envelope, participant: string): AboutOne {
  return { participant, fingerprint: fingerprint(envelope), audience: [participant] };
}
