import { EXIT, type Failure } from './command-failure.js';

/** Why the system does not let us use a file. Anything else is a mistake of ours. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user is not allowed to',
  EPERM: 'this user is not allowed to',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  ELOOP: 'its links lead in a circle',
  EROFS: 'its file system is mounted read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: "this user's quota is used up",
  EIO: 'the disk reports an error',
};

/** Of system calls. Everything else writes, or makes, moves and removes. */
const READING = /^(?:read|open|scandir|stat|lstat|access)/;

/** An error of the system about a file, as a sentence; `undefined` for any other error. */
export function fileFailure(error: unknown): Failure | undefined {
  const { code = '', path, syscall = '' } = error as NodeJS.ErrnoException;
  const why = REASONS[code];
  if (why === undefined || path === undefined) return undefined;
  const what = READING.test(syscall) ? 'opened' : 'changed';
  return {
    exit: EXIT.refused,
    code: 'unusable_file',
    message: `${path} cannot be ${what}: ${why} (${code}).`,
    next: ['Check the file and its permissions, then try again.'],
  };
}
