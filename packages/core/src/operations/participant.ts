import type { ServedList, Subject } from '../envelope/kind.js';
import { isJsonArray, isJsonObject, type JsonObject } from '../json/json.js';
import { textOf } from '../json/text.js';
import type { ParticipantRecord } from './records.js';
import { listedIn } from './routing/listing.js';

/** What a space knows of a participant from what it said: the tools, prompts and resources it serves. */
export interface ParticipantState {
  readonly name: string;
  /** Records in its stream so far. */
  readonly version: number;
  /** MCP definitions, as last announced; what it serves counts only while it is present (O-26). */
  readonly serves: Readonly<Partial<Record<ServedList, readonly JsonObject[]>>>;
  /** The names that it listed when it was last asked. They count where it announced nothing. */
  readonly lists: Readonly<Partial<Record<ServedList, readonly string[]>>>;
}

/** Folds one record of a participant's stream. */
export function evolveParticipant(
  participant: ParticipantState | undefined,
  record: ParticipantRecord,
): ParticipantState {
  const { participant: name } = record.facts;
  const version = (participant?.version ?? 0) + 1;
  const serves = participant?.serves ?? NOTHING;
  const lists = participant?.lists ?? NOTHING;
  if (record.type === 'said') {
    const { lists: list } = record.facts;
    if (list === undefined) return { name, version, serves, lists };
    const listed = servedNames(list, listedIn(record.envelope, list)).filter((served) => served !== '');
    return { name, version, serves, lists: { ...lists, [list]: [...new Set(listed)] } };
  }
  const { list } = record.facts;
  const announced = record.envelope.payload[list];
  const definitions = isJsonArray(announced) ? announced.filter(isJsonObject) : [];
  return { name, version, serves: { ...serves, [list]: definitions }, lists };
}

const NOTHING = {};

/** By list of definitions, each by its name: a list may have thousands, and is asked with every message. */
const byName = new WeakMap<readonly JsonObject[], ReadonlyMap<string, JsonObject>>();

/** What a participant announced about a tool, prompt or resource; nothing if it did not. */
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
