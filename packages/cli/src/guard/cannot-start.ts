import { defined } from '@proffer/core/json';
import { CommandFailure, EXIT } from '../command-failure.js';
import { shellWord } from '../terminal/shell.js';

/** Explains why a server's command could not be started, and what to do if the system says so. */
export function cannotStart(server: string, error: unknown): CommandFailure {
  const { code, path, message } = asSystemError(error);
  const failure = { exit: EXIT.refused, code: 'cannot_start' } as const;
  if (code === 'ENOENT') {
    const said = `${server} cannot be started: the command ${JSON.stringify(path)} was not found.`;
    const next = [
      'Check the spelling, and that it is installed.',
      'Write its full path: an MCP client often starts programs with a shorter PATH than a terminal has.',
    ];
    return new CommandFailure({ ...failure, message: said, next }, error);
  }
  if (code === 'EACCES') {
    const said = `${server} cannot be started: ${JSON.stringify(path)} is not executable.`;
    const next = [
      `chmod +x ${shellWord(path)}   # if it is a program; else name the one that runs it, such as node`,
    ];
    return new CommandFailure({ ...failure, message: said, next }, error);
  }
  return new CommandFailure({ ...failure, message: `${server} cannot be started: ${message}` }, error);
}

/** Explains why a server at an address cannot be used, and what to check. */
export function cannotReach(address: string, error: unknown): CommandFailure {
  const { message } = asSystemError(error);
  const said = message.startsWith(address) ? message : `${address} cannot be used: ${message}`;
  const next = ['Check --server-url, --header, and that the server is running.'];
  return new CommandFailure({ exit: EXIT.refused, code: 'cannot_reach', message: said, next }, error);
}

function asSystemError(error: unknown): {
  readonly code?: string;
  readonly path: string;
  readonly message: string;
} {
  if (!(error instanceof Error)) return { path: '', message: String(error) };
  const { code, path = '', message } = error as NodeJS.ErrnoException;
  return { path, message, ...defined({ code }) };
}
