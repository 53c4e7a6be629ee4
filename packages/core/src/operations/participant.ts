import type { ServedList, Subject } from '../envelope/kind.js';
import { objectsIn, textOf } from '../json/fields.js';
import { type JsonObject } from '../json/json.js';
import { type RecordContent, refuseToFold } from '../record/record.js';
import { type Delegation, delegationOf } from './delegation/delegation.js';
import { evolveGrants, type Grant, NO_GRANTS } from './grants/grant.js';
import { isSpaceWide } from './participant-records.js';
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
    default:
      if (isSpaceWide(record)) return before;
      return refuseToFold('record', (record satisfies never as RecordContent).type);
  }
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
