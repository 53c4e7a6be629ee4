import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { replaceFile } from '@proffer/client/machine';
import { defined, type JsonObject, sameJson } from '@proffer/core/json';
import { structuredPatch } from 'diff';
import {
  editSettings,
  NotAnObjectError,
  NotRegularError,
  readRegularFile,
  readSettings,
  UnreadableTextError,
} from '../settings/index.js';

/** The changes between two texts, in the format of `diff -u` without its headers: `…` is where lines are left out. */
export function lineDiff(before: string, after: string): readonly string[] {
  // More than 2,000 changed lines are shown as one block, because it would take too long to compare them.
  const options = { context: 3, maxEditLength: 2_000 };
  const patch = structuredPatch('', '', ended(before), ended(after), '', '', options);
  const hunks = patch?.hunks ?? [
    {
      oldStart: 1,
      lines: [...linesOf(before).map((line) => `-${line}`), ...linesOf(after).map((line) => `+${line}`)],
    },
  ];
  return hunks.flatMap(({ oldStart, lines }) => {
    const shown = lines.map((line) => `${line.slice(0, 1)} ${line.slice(1)}`);
    return oldStart > 1 ? ['…'].concat(shown) : shown;
  });
}

/** The text with the end of its last line, which is not a difference. */
function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function linesOf(text: string): readonly string[] {
  return ended(text).split('\n').slice(0, -1);
}

/** A change to a settings file, before it is made. */
export interface SettingsChange {
  readonly path: string;
  /** `undefined` if there is no file yet. */
  readonly before?: string;
  /** `undefined` if the file is to be removed. */
  readonly after?: string;
  /** Lines for people; none if nothing changes. */
  readonly diff: readonly string[];
}

/** Settings that cannot be edited without losing something in them. */
export class UneditableSettingsError extends Error {
  override readonly name = 'UneditableSettingsError';
  readonly path: string;

  constructor(path: string, why: string) {
    super(`${path} cannot be edited: ${why}`);
    this.path = path;
  }
}

/**
 * The effect of editing a settings file. Comments and formatting stay. A missing file counts as empty, and a file left
 * empty is removed.
 *
 * @throws UneditableSettingsError if the file is not a JSON object, with or without comments
 */
export function planChange(path: string, edit: (settings: JsonObject) => JsonObject): SettingsChange {
  const before = readIfThere(path);
  const settings = objectIn(path, before ?? '');
  const edited = edit(settings);
  if (sameJson(edited, settings))
    return { path, ...(before === undefined ? {} : { before, after: before }), diff: [] };
  const isEmpty = Object.keys(edited).every((key) => key === 'version');
  const after = isEmpty ? undefined : editSettings(before ?? '', 'json', edited);
  return { path, ...defined({ before, after }), diff: lineDiff(before ?? '', after ?? '') };
}

/** The path of the backup made before the last change. */
export function backupOf(path: string): string {
  return `${path}.before-proffer`;
}

/**
 * Makes a change.
 *
 * @param keep - keeps a backup of the file next to it
 * @param hasSecret - makes the file readable by its owner only
 */
export function makeChange(
  { path, before, after }: SettingsChange,
  { keep = false, hasSecret = false }: { readonly keep?: boolean; readonly hasSecret?: boolean } = {},
): void {
  const mode = hasSecret || before === undefined ? 0o600 : statSync(path).mode & 0o777;
  if (keep && before !== undefined) copyFileSync(path, backupOf(path));
  if (after === undefined) return rmSync(path, { force: true });
  mkdirSync(dirname(path), { recursive: true });
  replaceFile(path, after, mode);
}

/** Removes the backup of a file if the file is back to its original content. */
export function dropBackup(path: string): void {
  const backup = backupOf(path);
  if (existsSync(backup) && readIfThere(path) === readFileSync(backup, 'utf8')) rmSync(backup);
}

function objectIn(path: string, text: string): JsonObject {
  try {
    return readSettings(text, 'json');
  } catch (error) {
    if (error instanceof UnreadableTextError)
      throw new UneditableSettingsError(path, `it is not JSON (${error.message}).`);
    if (error instanceof NotAnObjectError)
      throw new UneditableSettingsError(path, 'it is not a JSON object.');
    throw error;
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readRegularFile(path).toString('utf8');
  } catch (error) {
    if (error instanceof NotRegularError) throw new UneditableSettingsError(path, `${error.message}.`);
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
