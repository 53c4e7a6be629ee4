import { constants, statSync } from 'node:fs';
import { access, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { failure, type Refusal, type Result, refuse, success } from '@proffer/core';

/** What was tried. */
export type Use = 'read' | 'write';

/**
 * The refusal for a file or folder that the system does not let this user read or write, or has no
 * space for. Nothing is wrong with what is in it. Returns nothing for any other error.
 */
export function noFileAccess(
  path: string,
  error: unknown,
  use: Use,
): Refusal<'unusable_folder' | 'disk_full'> | undefined {
  const { code } = error as NodeJS.ErrnoException;
  const details = { file: path, cause: code ?? '' };
  switch (code) {
    case 'EROFS': {
      const message = `${path} is read-only: its file system is mounted read-only (EROFS).`;
      // Without the usual advice: it is not about this user.
      const advice = 'Mount it for writing, or choose another folder.';
      return { code: 'unusable_folder', message: `${message} ${advice}`, details };
    }
    case 'EACCES':
    case 'EPERM': {
      const what = use === 'write' ? 'is read-only for this user' : 'cannot be read by this user';
      return refuse('unusable_folder', `${path} ${what} (${code})${ownerOf(path)}.`, details);
    }
    case 'ENOSPC':
      return refuse('disk_full', `${path} cannot be written: the disk is full (ENOSPC).`, details);
    case 'EDQUOT':
      return refuse(
        'disk_full',
        `${path} cannot be written: this user's quota is used up (EDQUOT).`,
        details,
      );
    default:
      return undefined;
  }
}

/** Does something with files in a folder, and refuses those that this user may not use. */
export async function refusingNoFileAccess<Value>(
  folder: string,
  use: Use,
  work: () => Promise<Result<Value>>,
): Promise<Result<Value>> {
  try {
    return await work();
  } catch (error) {
    const { code, path = folder, dest } = error as NodeJS.ErrnoException & { readonly dest?: string };
    // Of a copy, only the original may be unreadable, and only the copy finds no space.
    const isAllowed = code !== 'EACCES' && code !== 'EPERM';
    const refusal = noFileAccess(isAllowed ? (dest ?? path) : path, error, use);
    if (refusal === undefined) throw error;
    return failure(refusal);
  }
}

/**
 * Whether this user may read and write a folder and the files in it; changes nothing. Returns the
 * refusal for the first one that may not be used.
 */
export async function checkWritable(folder: string): Promise<Refusal | undefined> {
  const { R_OK, W_OK, X_OK } = constants;
  const checked = await refusingNoFileAccess(folder, 'write', async () => {
    await access(folder, R_OK | W_OK | X_OK);
    for (const entry of await readdir(folder, { withFileTypes: true }))
      if (entry.isFile()) await (await open(join(folder, entry.name), 'r+')).close();
    return success(undefined);
  });
  return checked.ok ? undefined : checked.refusal;
}

/** Whom a file belongs to, if that is another user. */
function ownerOf(path: string): string {
  try {
    const { uid } = statSync(path);
    return process.geteuid === undefined || process.geteuid() === uid ? '' : `; it belongs to user ${uid}`;
  } catch {
    // The folder above may not be read either.
    return '';
  }
}
