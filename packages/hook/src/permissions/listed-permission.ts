import type { JsonObject } from '@proffer/core/json';
import type { RuleAction } from '@proffer/steward';
import { readSettings, type SettingsFormat } from '../settings/index.js';

/** One entry of an agent's own list of what it may do. */
export interface ListedPermission {
  readonly action: RuleAction;
  /** As it is written there. */
  readonly text: string;
  /** The permission as the conditions of a rule. */
  readonly match: JsonObject;
}

/** A file, or a folder with files, that an agent keeps such a list in. */
export interface PermissionFile {
  readonly path: string;
  /** For a folder: how the names of its files end. */
  readonly ending?: string;
  /**
   * The entries in a file's text; none if it cannot be understood. An entry whose meaning is not certain is left out: the
   * agent applies it itself, and Proffer asks.
   */
  readonly read: (text: string) => readonly ListedPermission[];
}

/**
 * Reads only what counts against a call. For files of a project: whoever wrote the repository wrote them, and a program
 * that the agent may run can bring them in.
 */
export function onlyAgainst(read: PermissionFile['read']): PermissionFile['read'] {
  return (text) => read(text).filter(({ action }) => action !== 'allow');
}

/** What a settings file says; nothing if it cannot be read. */
export function settingsIn(text: string, format: SettingsFormat = 'json'): JsonObject {
  try {
    return readSettings(text, format);
  } catch {
    return {};
  }
}
