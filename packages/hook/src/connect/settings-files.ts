import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { readRegularFile } from '../settings/index.js';

/** Everything that connecting does to the disk, one step each: a process may be killed between any two. */
export interface SettingsFiles {
  /**
   * Replaces a file as a whole, or creates it.
   *
   * @param check - called right before the new file takes its place; if it throws, nothing is replaced
   */
  readonly replace: (path: string, content: Buffer, mode: number, check?: () => void) => void;
  readonly remove: (path: string) => void;
  readonly makeFolder: (path: string) => void;
  /** Removes a folder if it is empty. */
  readonly removeFolder: (path: string) => void;
}

/** The real disk. */
export const DISK: SettingsFiles = {
  replace(path, content, mode, check) {
    const draft = draftOf(path);
    rmSync(draft, { force: true });
    const file = openSync(draft, 'wx', 0o600);
    try {
      for (let at = 0; at < content.length; ) at += writeSync(file, content, at);
      fchmodSync(file, mode);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    try {
      check?.();
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    }
    renameSync(draft, path);
  },
  remove: (path) => rmSync(path, { force: true }),
  makeFolder: (path) => mkdirSync(path, { mode: 0o700 }),
  removeFolder(path) {
    try {
      rmdirSync(path);
    } catch {
      // Something else is in it by now.
    }
  },
};

/** Where a file is written before it takes its place. */
export function draftOf(path: string): string {
  return `${path}.proffer-draft`;
}

/** The folders above a path that do not exist yet, the topmost first. */
export function missingFolders(path: string): readonly string[] {
  const folder = dirname(path);
  return existsSync(folder) || folder === path ? [] : [...missingFolders(folder), folder];
}

/** A settings file as it is now. */
export type FoundFile =
  | { readonly type: 'missing'; readonly path: string }
  | { readonly type: 'file'; readonly path: string; readonly content: Buffer; readonly mode: number }
  | { readonly type: 'unusable'; readonly path: string; readonly why: string };

/** Reads a settings file, where links lead: people keep their settings elsewhere and link to them. */
export function readSettingsFile(given: string): FoundFile {
  try {
    const path = realpathSync(given);
    const found = statSync(path);
    const content = readRegularFile(path);
    const why = whyUnusable(found, content);
    if (why !== undefined) return { type: 'unusable', path, why };
    return { type: 'file', path, content, mode: found.mode & 0o7777 };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') return { type: 'unusable', path: given, why: message };
    const isLink = lstatSync(given, { throwIfNoEntry: false }) !== undefined;
    if (isLink) return { type: 'unusable', path: given, why: 'it is a broken link' };
    return { type: 'missing', path: given };
  }
}

function whyUnusable(
  { uid, nlink }: { readonly uid: number; readonly nlink: number },
  content: Buffer,
): string | undefined {
  const self = process.getuid?.();
  if (self !== undefined && uid !== self) return 'it belongs to another user';
  // Replacing it would leave the other names with the old content.
  if (nlink > 1) return 'it has more than one name (hard links)';
  return content.equals(Buffer.from(content.toString('utf8'))) ? undefined : 'it is not UTF-8 text';
}
