import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { isJsonObject, type JsonObject, parseJson } from '@proffer/core/json';
import { lineDiff } from './line-diff.js';

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
 * The effect of editing a settings file. A missing file counts as empty, and a file left empty is
 * removed.
 *
 * @throws UneditableSettingsError if the file is not a JSON object, or has comments
 */
export function planChange(path: string, edit: (settings: JsonObject) => JsonObject): SettingsChange {
  const before = readIfThere(path);
  const settings = before === undefined || before.trim() === '' ? {} : objectIn(path, before);
  const edited = edit(settings);
  const isEmpty = Object.keys(edited).every((key) => key === 'version');
  const after = isEmpty ? undefined : format(edited, before);
  const isSame = (before ?? '') === (after ?? '') || JSON.stringify(edited) === JSON.stringify(settings);
  return {
    path,
    ...(before === undefined ? {} : { before }),
    ...(isSame ? (before === undefined ? {} : { after: before }) : after === undefined ? {} : { after }),
    diff: isSame ? [] : lineDiff(before ?? '', after ?? ''),
  };
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
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, after, { mode });
  renameSync(draft, path);
}

/** Removes the backup of a file if the file is back to its original content. */
export function dropBackup(path: string): void {
  const backup = backupOf(path);
  if (existsSync(backup) && readIfThere(path) === readFileSync(backup, 'utf8')) rmSync(backup);
}

function objectIn(path: string, text: string): JsonObject {
  const parsed = parseJson(text);
  if (!parsed.ok) throw new UneditableSettingsError(path, 'it is not plain JSON (comments are not kept).');
  if (!isJsonObject(parsed.value)) throw new UneditableSettingsError(path, 'it is not a JSON object.');
  return parsed.value;
}

/** In the file's original formatting. */
function format(settings: JsonObject, before = ''): string {
  const [, indent = '  '] = /\n([ \t]+)"/.exec(before) ?? [];
  const end = before === '' || before.endsWith('\n') ? '\n' : '';
  return `${JSON.stringify(settings, undefined, indent)}${end}`;
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
