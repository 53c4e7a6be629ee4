import { VersionedMap } from '../../collections/versioned-map.js';
import type { Decider, Decision } from '../../decision.js';
import { sameJson } from '../../json/canonical.js';
import { quote } from '../../json/describe.js';
import type { JsonValue } from '../../json/json.js';
import { type RecordContent, throwUnsupported } from '../../record/record.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import { isExtensionName } from '../modes/declared/name.js';
import { findMode, servedModes } from '../modes/registry.js';
import { refuseField } from '../wire/refuse-field.js';
import { checkRoom, descriptorBytes } from '../wire/registry-bounds.js';
import { type ModeDescriptor, parseModeDescriptor } from './descriptor.js';

/** A registered extension mode. */
export interface RegisteredMode {
  readonly descriptor: ModeDescriptor;
  /** Whether it was promoted: it is listed with MACP's own modes, and stays. */
  readonly isPromoted: boolean;
}

/** The registered extension modes, by name. */
export type ModeRegistry = VersionedMap<RegisteredMode>;

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

/** A mode was promoted, perhaps under another name. */
export type ModePromoted = RecordContent & {
  readonly type: 'mode_promoted';
  readonly envelope: { readonly mode: string; readonly promoted_mode_name: string };
};

/** Everything that can happen to the registry. */
export type ModeRecord = ModeRegistered | ModeUnregistered | ModePromoted;

/**
 * Registers, unregisters and promotes extension modes (N-31). A name has one description: repeating it makes no
 * difference, a different one is refused with `INVALID_ENVELOPE`, as is one beyond the limit, an unknown name with
 * `MODE_NOT_SUPPORTED`. Sessions keep the description they were started with, whatever happens here. The caller checks
 * who may do this.
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
        const known = state.get(mode);
        if (known === undefined) return { refused: refuseUnknownMode(mode) };
        if (known.isPromoted) return { refused: refusePromoted(mode, 'removed') };
        return { records: [{ type: 'mode_unregistered', time, principal, envelope: { mode } }] };
      }
      case 'promote':
        return promote(state, command, time);
    }
  },
  evolve,
};

/** The standards-track modes: MACP's own, then those that were promoted, sorted by name. */
export function listModes(registry: ModeRegistry): readonly ModeDescriptor[] {
  return [...servedModes().filter(({ mode }) => isReserved(mode)), ...registered(registry, true)];
}

/** The extension modes: built-in ones, then those that were registered, sorted by name. */
export function listExtensionModes(registry: ModeRegistry): readonly ModeDescriptor[] {
  return [...servedModes().filter(({ mode }) => !isReserved(mode)), ...registered(registry, false)];
}

function registered(registry: ModeRegistry, promoted: boolean): readonly ModeDescriptor[] {
  return [...registry.values()]
    .filter(({ isPromoted }) => isPromoted === promoted)
    .map(({ descriptor }) => descriptor)
    .sort((left, right) => (left.mode < right.mode ? -1 : 1));
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
  if (earlier !== undefined && sameJson(earlier.descriptor, envelope)) return { unchanged: 'duplicate' };
  const unusable = checkName(state, envelope.mode);
  if (unusable !== undefined) return { refused: unusable };
  const load = {
    field: 'mode',
    registered: Array.from(state.values(), ({ descriptor: other }) => descriptorBytes(other)),
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
  const known = state.get(mode);
  if (known === undefined)
    return { refused: findMode(mode) === undefined ? refuseUnknownMode(mode) : refuseTaken(mode) };
  const isRenamed = name !== '' && name !== mode;
  if (known.isPromoted)
    return isRenamed ? { refused: refusePromoted(mode, 'renamed') } : { unchanged: 'duplicate' };
  const final = isRenamed ? name : mode;
  const promoted = parseModeDescriptor({ ...known.descriptor, mode: final });
  if (!promoted.ok) return { refused: promoted.refusal };
  const unusable = isRenamed ? checkName(state, final) : undefined;
  if (unusable !== undefined) return { refused: unusable };
  const envelope = { mode, promoted_mode_name: final };
  return { records: [{ type: 'mode_promoted', time, principal, envelope }] };
}

/** @throws Error for an unknown record type */
function evolve(state: ModeRegistry, record: ModeRecord): ModeRegistry {
  switch (record.type) {
    case 'mode_registered':
      return state.set(record.envelope.mode, { descriptor: record.envelope, isPromoted: false });
    case 'mode_unregistered':
      return state.delete(record.envelope.mode);
    case 'mode_promoted': {
      const { mode, promoted_mode_name } = record.envelope;
      const known = state.get(mode);
      if (known === undefined) return state;
      const descriptor = { ...known.descriptor, mode: promoted_mode_name };
      return state.delete(mode).set(promoted_mode_name, { descriptor, isPromoted: true });
    }
    default:
      return throwUnsupported('record', (record satisfies never as RecordContent).type);
  }
}

/** Why no other mode can have a name, or `undefined`. */
function checkName(state: ModeRegistry, mode: string): Refusal | undefined {
  if (findMode(mode) !== undefined || state.has(mode)) return refuseTaken(mode);
  if (isReserved(mode)) return refuseReserved(mode);
  return isExtensionName(mode) ? undefined : refuseName(mode);
}

/** Names of MACP's own modes, also of those that are not supported here. */
function isReserved(mode: string): boolean {
  return mode.startsWith('macp.mode.');
}

function refuseReserved(mode: string): Refusal {
  const what = `${quote(mode)} is reserved: names that begin with macp.mode. are for modes that MACP defines.`;
  return refuse('INVALID_ENVELOPE', what, { field: 'mode', found: quote(mode) });
}

function refuseName(mode: string): Refusal {
  const expected = 'a name with a dot, such as ext.auction.v1 or com.example.auction.v1';
  return refuseField('INVALID_ENVELOPE', { field: 'mode', found: quote(mode), expected });
}

function refusePromoted(mode: string, done: string): Refusal {
  const what = `${quote(mode)} was promoted, so it cannot be ${done}.`;
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
