import type { JsonObject } from '../../json/json.js';
import { refuseToFold } from '../../record/refuse-to-fold.js';
import type { ModeDescriptor } from '../extension-modes/descriptor.js';
import type { Reader } from '../wire/readers.js';
import type { Mode } from './mode.js';
import { proposalMode } from './proposal/mode.js';

/** The modes that are served. A new one is a room beside `proposal/` and its line here. */
const SERVED = [proposalMode] as const;

type Served = (typeof SERVED)[number];

/** What a mode made of the messages of a session; only that mode looks into it. */
export type ModeState = Served extends Mode<infer State, infer _Message, infer _Payloads> ? State : never;

/** A message of any mode, its payload read. */
export type ModeMessage = Served extends Mode<infer _State, infer Message, infer _Payloads> ? Message : never;

/** The payload of each message that belongs to a mode. */
export type ModePayloads =
  Served extends Mode<infer _State, infer _Message, infer Payloads> ? Payloads : never;

type AnyMode = Mode<ModeState, ModeMessage, ModePayloads>;

// A session is only ever given the state and the messages that its own mode made.
const BY_NAME: ReadonlyMap<string, AnyMode> = new Map(
  SERVED.map((mode: AnyMode) => [mode.descriptor.mode, mode]),
);

/** How the messages of all modes are read, by type. */
export const MODE_READERS: ReadonlyMap<string, Reader<JsonObject>> = new Map(
  SERVED.flatMap(({ readers }) => Object.entries<Reader<JsonObject>>(readers)),
);

/** The descriptors of all modes that are served. */
export const SERVED_MODES: readonly ModeDescriptor[] = SERVED.map(({ descriptor }) => descriptor);

/** The mode of a name; `undefined` for one that is not served. */
export function findMode(name: string): AnyMode | undefined {
  return BY_NAME.get(name);
}

/**
 * The mode of a session that there is.
 *
 * @throws Error for one that this version does not serve: the journal is from a newer one
 */
export function modeOf({ mode }: { readonly mode: string }): AnyMode {
  return BY_NAME.get(mode) ?? refuseToFold('mode', mode);
}
