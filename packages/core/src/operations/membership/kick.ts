import { mayDecideFor } from '../../capability/authorize.js';
import { compileCapabilities } from '../../capability/compiled-capabilities.js';
import type { Envelope } from '../../envelope/envelope.js';
import { quote } from '../../json/describe.js';
import { textOf } from '../../json/fields.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import type { DecisionContext, ParticipantRights } from '../context.js';
import { checkOther } from '../grants/decide-grant.js';
import { fingerprint } from '../proposal/fingerprint.js';
import type { SpaceState } from '../space/space.js';
import type { Kicked } from './invitation.js';

/** The removal of a participant, in force until somebody invites it again (O-52). */
export type Kick = {
  readonly by: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly reason?: string;
};

/** A kick (O-52): ends the participant's connections, its invitation and its grants. */
export function decideKick(
  space: SpaceState,
  envelope: Envelope,
  context: DecisionContext,
): { readonly record: Kicked } | { readonly refused: Refusal } {
  const { from, payload } = envelope;
  const name = textOf(payload['participant']);
  const refused =
    checkOther(from, { field: 'payload.participant', name }) ??
    checkKnown(space, name, context) ??
    checkEqual(envelope, name, context);
  if (refused !== undefined) return { refused };
  const { reason } = payload;
  const facts = {
    participant: name,
    fingerprint: fingerprint(envelope),
    audience: [name],
    ...(typeof reason === 'string' ? { reason } : {}),
  };
  return { record: { type: 'kicked', time: context.now, principal: from, envelope, facts } };
}

export function kickOf({ principal, time, facts: { reason } }: Kicked): Kick {
  return { by: principal, at: time, ...(reason === undefined ? {} : { reason }) };
}

/** What a removed participant may do, whatever its credential gives it: others do nothing on its authority, either. */
export const NO_RIGHTS: ParticipantRights = { capabilities: compileCapabilities([]) };

export function isKicked({ participants }: Pick<SpaceState, 'participants'>, name: string): boolean {
  return participants.get(name)?.kicked !== undefined;
}

/** Why a participant may not be in the space, if it was removed. */
export function refuseKicked({ participants, settings }: SpaceState, name: string): Refusal | undefined {
  const kick = participants.get(name)?.kicked;
  if (kick === undefined) return undefined;
  const { by, at, reason } = kick;
  const why = reason === undefined ? '' : `: ${reason}`;
  const message = `${by} removed ${quote(name)} from ${settings.name}${why}`;
  return refuse('kicked', message.endsWith('.') ? message : `${message}.`, {
    by,
    at,
    ...(reason === undefined ? {} : { reason }),
  });
}

/** Why a message cannot be about a participant: nobody here has that name. */
export function checkKnown(
  { participants, pending, settings }: SpaceState,
  name: string,
  { isPresent, isConnected = isPresent, rightsOf }: DecisionContext,
): Refusal | undefined {
  if (participants.has(name) || pending.has(name)) return undefined;
  if (isConnected(name) || rightsOf?.(name) !== undefined) return undefined;
  const what = `${quote(name)} does not take part in ${quote(settings.name)}.`;
  return refuse('participant_not_found', what, { participant: name });
}

/** Whoever may remove others is removed only by one who may do everything: else the first to kick would rule. */
function checkEqual(
  { kind }: Envelope,
  name: string,
  { sender, rightsOf }: DecisionContext,
): Refusal | undefined {
  const rights = rightsOf?.(name);
  const mayKick = rights !== undefined && mayDecideFor(rights.capabilities, kind);
  if (!mayKick || sender?.capabilities.sources.includes('*') === true) return undefined;
  return refuse('not_kickable', `${quote(name)} may remove others, too.`, { participant: name });
}
