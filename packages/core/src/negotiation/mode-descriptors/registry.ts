import { VersionedMap } from '../../collections/versioned-map.js';
import type { Decider, Decision } from '../../decision.js';
import { sameJson } from '../../json/canonical.js';
import { quote } from '../../json/describe.js';
import type { JsonValue } from '../../json/json.js';
import { type RecordContent, refuseToFold } from '../../record/record.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import { findMode } from '../modes/registry.js';
import { refuseField } from '../wire/refuse-field.js';
import { checkRoom, descriptorBytes } from '../wire/registry-bounds.js';
import { type ModeDescriptor, parseModeDescriptor } from './descriptor.js';

/** The registered extension modes, by name. */
export type ModeRegistry = VersionedMap<ModeDescriptor>;

/**
 * The maximum total size, in bytes of JSON: anyone may request the list, even without a token, and
 * little memory is spent on them (I-7).
 */
export const MAX_MODES_BYTES = 196_608;

/** The commands of the registry; a descriptor is whatever the client sent. */
export type ModeCommand =
  | { readonly type: 'register'; readonly principal: string; readonly descriptor: JsonValue }
  | { readonly type: 'unregister'; readonly principal: string; readonly mode: string }
  | { readonly type: 'promote'; readonly principal: string; readonly mode: string; readonly name: string };

/** A mode was registered. */
export type ModeRegistered = RecordContent & {
  readonly type: 'mode_registered';
  readonly envelope: ModeDescriptor;
};

/** A mode was unregistered. */
export type ModeUnregistered = RecordContent & {
  readonly type: 'mode_unregistered';
  readonly envelope: { readonly mode: string };
};

/** A mode was renamed. */
export type ModePromoted = RecordContent & {
  readonly type: 'mode_promoted';
  readonly envelope: { readonly mode: string; readonly promoted_mode_name: string };
};

/** Everything that can happen to the registry. */
export type ModeRecord = ModeRegistered | ModeUnregistered | ModePromoted;

/**
 * Registers, unregisters and renames extension modes. They are listed for clients; no session can be
 * started in one. A name has one description: repeating it makes no difference, a different one is
 * refused with `INVALID_ENVELOPE`, as is one beyond the limit, an unknown name with
 * `MODE_NOT_SUPPORTED`. The caller checks who may do this.
 */
export const modeRegistry: Decider<ModeRegistry, ModeCommand, ModeRecord, { readonly now: number }> = {
  initial: VersionedMap.empty(),
  decide(state, command, { now: time }) {
    const { principal } = command;
    switch (command.type) {
      case 'register':
        return register(state, command, time);
      case 'unregister': {
        const { mode } = command;
        if (!state.has(mode)) return { refused: refuseUnknownMode(mode) };
        return { records: [{ type: 'mode_unregistered', time, principal, envelope: { mode } }] };
      }
      case 'promote':
        return promote(state, command, time);
    }
  },
  evolve,
};

/** The registered modes, sorted by name. */
export function listModes(registry: ModeRegistry): readonly ModeDescriptor[] {
  return [...registry.values()].sort((left, right) => (left.mode < right.mode ? -1 : 1));
}

function register(
  state: ModeRegistry,
  { descriptor, principal }: ModeCommand & { readonly type: 'register' },
  time: number,
): Decision<ModeRecord> {
  const parsed = parseModeDescriptor(descriptor);
  if (!parsed.ok) return { refused: parsed.refusal };
  const envelope = parsed.value;
  const earlier = state.get(envelope.mode);
  if (earlier !== undefined && sameJson(earlier, envelope)) return { unchanged: 'duplicate' };
  if (isTaken(state, envelope.mode)) return { refused: refuseTaken(envelope.mode) };
  if (isReserved(envelope.mode)) return { refused: refuseReserved(envelope.mode) };
  const load = {
    field: 'mode',
    registered: [...state.values()].map(descriptorBytes),
    mostBytes: MAX_MODES_BYTES,
  };
  const tooMuch = checkRoom(load, descriptorBytes(envelope));
  if (tooMuch !== undefined) return { refused: refuseField('INVALID_ENVELOPE', tooMuch) };
  return { records: [{ type: 'mode_registered', time, principal, envelope }] };
}

function promote(
  state: ModeRegistry,
  { mode, name, principal }: ModeCommand & { readonly type: 'promote' },
  time: number,
): Decision<ModeRecord> {
  const described = state.get(mode);
  if (described === undefined) return { refused: refuseUnknownMode(mode) };
  if (name === '' || name === mode) return { unchanged: 'duplicate' };
  const renamed = parseModeDescriptor({ ...described, mode: name });
  if (!renamed.ok) return { refused: renamed.refusal };
  if (isTaken(state, name)) return { refused: refuseTaken(name) };
  if (isReserved(name)) return { refused: refuseReserved(name) };
  const envelope = { mode, promoted_mode_name: name };
  return { records: [{ type: 'mode_promoted', time, principal, envelope }] };
}

/** @throws Error for an unknown record type */
function evolve(state: ModeRegistry, record: ModeRecord): ModeRegistry {
  switch (record.type) {
    case 'mode_registered':
      return state.set(record.envelope.mode, record.envelope);
    case 'mode_unregistered':
      return state.delete(record.envelope.mode);
    case 'mode_promoted': {
      const { mode, promoted_mode_name } = record.envelope;
      const described = state.get(mode);
      if (described === undefined) return state;
      return state.delete(mode).set(promoted_mode_name, { ...described, mode: promoted_mode_name });
    }
    default:
      return refuseToFold('record', (record satisfies never as RecordContent).type);
  }
}

function isTaken(state: ModeRegistry, mode: string): boolean {
  return findMode(mode) !== undefined || state.has(mode);
}

/** Names of MACP's own modes, also of those that are not supported here. */
function isReserved(mode: string): boolean {
  return mode.startsWith('macp.mode.');
}

function refuseReserved(mode: string): Refusal {
  const what = `${quote(mode)} is reserved: names that begin with macp.mode. are for modes that MACP defines.`;
  return refuse('INVALID_ENVELOPE', what, { field: 'mode', found: quote(mode) });
}

function refuseTaken(mode: string): Refusal {
  const why = findMode(mode) === undefined ? 'already registered; unregister it first, or' : 'built in;';
  const what = `${quote(mode)} is ${why} choose another name.`;
  return refuse('INVALID_ENVELOPE', what, { field: 'mode', found: quote(mode) });
}

function refuseUnknownMode(mode: string): Refusal {
  return refuse('MODE_NOT_SUPPORTED', `Extension mode ${quote(mode)} not found.`, {
    field: 'mode',
    found: quote(mode),
    expected: 'a registered extension mode',
  });
}
