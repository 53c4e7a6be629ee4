import type { ServedList, Subject } from '../envelope/kind.js';
import { objectsIn, textOf } from '../json/fields.js';
import { type JsonObject } from '../json/json.js';
import { type RecordContent, throwUnsupported } from '../record/record.js';
import { type Delegation, delegationOf } from './delegation/delegation.js';
import { evolveGrants, type Grant, NO_GRANTS } from './grants/grant.js';
import { evolveKeys, type OwnKeys } from './keys/key.js';
import { type Invitation, type Invited, invitationOf } from './membership/invitation.js';
import { type Kick, kickOf } from './membership/kick.js';
import { isSpaceWide } from './participant-records.js';
import { type ParticipantPause, participantPauseAfter } from './pause/pause-participant.js';
import type { ParticipantRecord } from './records.js';
import { type AloneUse, ofLastHour } from './review/agents.js';
import { listedIn } from './routing/listing.js';

/** What a space knows about a participant from its messages: the tools, prompts and resources it serves. */
export interface ParticipantState {
  readonly name: string;
  /** Records in its stream so far. */
  readonly version: number;
  /** MCP definitions, as last announced; they count only while it is present (O-26). */
  readonly serves: Readonly<Partial<Record<ServedList, readonly JsonObject[]>>>;
  /** Names that it announced before, and not the last time: the latest {@link MAX_SERVED} of each list. */
  readonly served?: Readonly<Partial<Record<ServedList, readonly string[]>>> | undefined;
  /** The names it listed when it was last asked. They count if it announced nothing. */
  readonly lists: Readonly<Partial<Record<ServedList, readonly string[]>>>;
  /** The rules it decides by, as last announced: the payload of `mcpx.announce.rules`. */
  readonly rules?: JsonObject | undefined;
  /** To whom it delegated its part in all reviews, if it did (O-34). */
  readonly delegation?: Delegation | undefined;
  /** What it approved alone, as an agent, in the hour before its last such approval (O-28). */
  readonly alone?: readonly AloneUse[] | undefined;
  /** Grants from others, oldest first; some may have expired (O-41). */
  readonly grants: readonly Grant[];
  /** By which it may be here, if the configuration does not name it; it may have expired (O-51). */
  readonly invitation?: Invitation | undefined;
  /** The kick by which it stays out, if nobody has invited it since (O-52). */
  readonly kicked?: Kick | undefined;
  /** By which it may begin nothing new, if it was paused; it may be over (O-54). */
  readonly pause?: ParticipantPause | undefined;
  /** What it signs decisions with (O-49). */
  readonly ring?: OwnKeys | undefined;
  /** When it was last removed, if ever: what it gave others by then has ended. */
  readonly removedAt?: number | undefined;
}

/** Folds one record of a participant's stream. */
export function evolveParticipant(
  participant: ParticipantState | undefined,
  record: ParticipantRecord,
): ParticipantState {
  const { participant: name } = record.facts;
  const version = (participant?.version ?? 0) + 1;
  const before: ParticipantState = {
    name,
    version,
    serves: participant?.serves ?? NOTHING,
    served: participant?.served,
    lists: participant?.lists ?? NOTHING,
    rules: participant?.rules,
    delegation: participant?.delegation,
    alone: participant?.alone,
    grants: participant?.grants ?? NO_GRANTS,
    invitation: participant?.invitation,
    kicked: participant?.kicked,
    pause: participant?.pause,
    ring: participant?.ring,
    removedAt: participant?.removedAt,
  };
  switch (record.type) {
    case 'said': {
      if (record.envelope.kind === 'mcpx.announce.rules')
        return { ...before, rules: record.envelope.payload };
      const { lists: list } = record.facts;
      if (list === undefined) return before;
      const listed = servedNames(list, listedIn(record.envelope, list)).filter((served) => served !== '');
      return { ...before, lists: { ...before.lists, [list]: [...new Set(listed)] } };
    }
    case 'announced': {
      const { list } = record.facts;
      const announced = record.envelope.payload[list];
      const definitions = objectsIn(announced);
      const serves = { ...before.serves, [list]: definitions };
      const names = noLongerServed(list, before, definitions);
      if (names.length === 0 && before.served?.[list] === undefined) return { ...before, serves };
      return { ...before, serves, served: { ...before.served, [list]: names } };
    }
    case 'delegated':
      return { ...before, delegation: delegationOf(name, record.facts) };
    case 'acted_alone': {
      const { entry, about: proposal } = record.facts;
      const lately = ofLastHour(before.alone ?? [], record.time);
      return { ...before, alone: [...lately, { entry, proposal, at: record.time }] };
    }
    case 'executor_confirmed':
      return before;
    case 'granted':
    case 'grant_used':
    case 'grant_revoked':
    case 'grant_ended':
      return { ...before, grants: evolveGrants(before.grants, record) };
    case 'invited':
      return { ...before, ...invitedAs(record), kicked: undefined };
    case 'kicked': {
      const given = { invitation: undefined, grants: NO_GRANTS, delegation: undefined };
      const ended = { ...given, ring: undefined, pause: undefined };
      return { ...before, ...ended, kicked: kickOf(record), removedAt: record.time };
    }
    case 'participant_paused':
    case 'participant_resumed':
      return { ...before, pause: participantPauseAfter(record) };
    case 'key_allowed':
    case 'key_registered':
    case 'key_revoked':
      return { ...before, ring: evolveKeys(before.ring, record) };
    default:
      if (isSpaceWide(record)) return before;
      return throwUnsupported('record', (record satisfies never as RecordContent).type);
  }
}

/** Somebody new may have the name now, who inherits neither keys nor grants from whoever had it before. */
function invitedAs(record: Invited): Partial<ParticipantState> {
  const invitation = invitationOf(record);
  return invitation === undefined ? { invitation } : { invitation, grants: NO_GRANTS, ring: undefined };
}

const NOTHING = {};

/** How many names of a list are remembered after a participant has stopped serving them. */
const MAX_SERVED = 1_000;

function noLongerServed(
  list: ServedList,
  { serves, served }: ParticipantState,
  definitions: readonly JsonObject[],
): readonly string[] {
  const now = new Set(servedNames(list, definitions));
  const before = [...(served?.[list] ?? []), ...servedNames(list, serves[list] ?? [])];
  return before.filter((name) => !now.has(name)).slice(-MAX_SERVED);
}

/** By list of definitions, each by its name: a list may have thousands, and is used with every message. */
const byName = new WeakMap<readonly JsonObject[], ReadonlyMap<string, JsonObject>>();

/** What a participant announced about a tool, prompt or resource; `undefined` if it did not. */
export function definitionOf(
  participant: ParticipantState | undefined,
  { list, name }: Subject,
): JsonObject | undefined {
  const definitions = participant?.serves[list];
  if (definitions === undefined) return undefined;
  let named = byName.get(definitions);
  if (named === undefined) {
    const names = servedNames(list, definitions);
    named = new Map(definitions.map((definition, index) => [names[index] ?? '', definition]));
    byName.set(definitions, named);
  }
  return named.get(name);
}

/** The names (of resources: the URIs) in a list of definitions. */
export function servedNames(list: ServedList, definitions: readonly JsonObject[]): readonly string[] {
  const key = list === 'resources' ? 'uri' : 'name';
  return definitions.map((definition) => textOf(definition[key]));
}
