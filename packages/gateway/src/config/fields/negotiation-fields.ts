import { isParticipantName } from '@proffer/core';
import { defined, formatPath, quote } from '@proffer/core/json';
import { isReservedName } from '@proffer/core/negotiation';
import { isNothing, type MapTree, type Report, type Tree } from '@proffer/reading';
import type { NegotiationFlags } from '../config.js';
import { type Field, field, listOf, optional, section } from '../read/field.js';
import { flag, text, wholeNumber } from '../read/scalar.js';

/** The flags as written: the right to start sessions is open if it is not set. */
type WrittenFlags = Omit<NegotiationFlags, 'canStartSessions'> & {
  readonly canStartSessions?: boolean;
};

/** The defaults for a token without settings. */
export const DEFAULT_NEGOTIATION_FLAGS: WrittenFlags = {
  canManageModeRegistry: false,
  isObserver: false,
  actAs: [],
};

/** The flags, as MACP names them. */
export const NEGOTIATION_KEYS = [
  'allowed_modes',
  'can_start_sessions',
  'max_open_sessions',
  'can_manage_mode_registry',
  'is_observer',
  'act_as',
] as const;

/** The name of a flag, as MACP writes it. */
export type NegotiationKey = (typeof NEGOTIATION_KEYS)[number];

type Written = { readonly [Flag in keyof NegotiationFlags]-?: NegotiationFlags[Flag] | undefined };

/** The flags with the default for starting sessions filled in. */
export function completeFlags(flags: WrittenFlags, canStartSessions: boolean): NegotiationFlags {
  return { ...flags, canStartSessions: flags.canStartSessions ?? canStartSessions };
}

/** What is wrong with a name for a participant, or `undefined`. */
export function checkParticipantName(name: string): string | undefined {
  if (isParticipantName(name) && !isReservedName(name)) return undefined;
  return `${quote(name)} is not a valid participant name: use 1 to 128 visible characters, without spaces, and not a name that the gateway uses itself.`;
}

const participantName: Field<string>['read'] = (tree, path, report) => {
  const name = text("a participant's name").read(tree, path, report);
  if (name === undefined) return undefined;
  const wrong = checkParticipantName(name);
  if (wrong === undefined) return name;
  report(tree.at, formatPath(path), wrong);
  return undefined;
};

// An empty mode means ambient signals, which have none.
const mode: Field<string>['read'] = (tree, path, report) =>
  tree.kind === 'scalar' && tree.text === '' && !tree.plain ? '' : text('a mode').read(tree, path, report);

/**
 * The flags of MACP token lists (NEGOTIATION: static tokens). `null` is the same as leaving a key out,
 * and so is an empty `allowed_modes`, or one with `*`: MACP issuers write both for "all".
 *
 * @param unknown - `open` ignores keys that are not flags, as MACP does with claims
 */
export function negotiationFlags(unknown: 'open' | 'closed' = 'closed'): Field<WrittenFlags> {
  const written = section<Written>(
    {
      allowedModes: optional(listOf(mode, 'modes')),
      canStartSessions: optional(flag()),
      maxOpenSessions: optional(wholeNumber(0, 1_000_000)),
      canManageModeRegistry: optional(flag()),
      isObserver: optional(flag()),
      actAs: optional(listOf(participantName, 'names of participants')),
    },
    unknown,
  );
  const complete = (flags: Written | undefined): WrittenFlags | undefined => {
    if (flags === undefined) return undefined;
    const { allowedModes = [], maxOpenSessions, canStartSessions } = flags;
    return {
      ...(allowedModes.length === 0 || allowedModes.includes('*') ? {} : { allowedModes }),
      ...defined({ maxOpenSessions, canStartSessions }),
      canManageModeRegistry: flags.canManageModeRegistry ?? DEFAULT_NEGOTIATION_FLAGS.canManageModeRegistry,
      isObserver: flags.isObserver ?? DEFAULT_NEGOTIATION_FLAGS.isObserver,
      actAs: flags.actAs ?? DEFAULT_NEGOTIATION_FLAGS.actAs,
    };
  };
  return {
    ...field(
      (tree: Tree, path, report: Report) => complete(written.read(withoutEmptyKeys(tree), path, report)),
      'none',
    ),
    ...defined({ keys: written.keys }),
    absent: () => DEFAULT_NEGOTIATION_FLAGS,
  };
}

/** The section without its empty keys. */
function withoutEmptyKeys(tree: Tree): Tree {
  if (tree.kind !== 'map') return tree;
  const entries = new Map([...tree.entries].filter(([, { value }]) => !isNothing(value)));
  return { ...tree, entries } satisfies MapTree;
}
