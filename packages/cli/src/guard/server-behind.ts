import {
  type Channel,
  createHttpBack,
  createParamHeaders,
  createStdioBack,
  serverNameFrom,
  serverNameFromUrl,
} from '@proffer/mcp';
import { usageFailure } from '../command-failure.js';

/** Options that say which server is meant, if not its command. */
export interface ServerOptions {
  readonly serverUrl?: string;
  readonly header?: readonly string[];
}

/** The server behind a guard or a bridge: a short name for it, and how to reach it. */
export interface Target {
  readonly name: string;
  /** The program that is started, or where the server is; nothing that could be a secret. */
  readonly about: string;
  readonly open: () => Channel;
  /** Whether each connection to it is a process. */
  readonly isProcess: boolean;
}

/**
 * The server that the command line names, by its command or by its address.
 *
 * @param usage - what the command of a server stands behind, such as `proffer guard`
 */
export function serverBehind(command: readonly string[], options: ServerOptions, usage: string): Target {
  const { serverUrl, header = [] } = options;
  const [program, ...args] = command;
  if ((program === undefined) === (serverUrl === undefined)) {
    throw usageFailure('Which server? Either its command, after --, or --server-url.', [
      `${usage} -- npx -y SERVER`,
    ]);
  }
  if (program !== undefined) {
    return {
      name: serverNameFrom(command),
      about: program,
      open: () => createStdioBack({ command: program, args }),
      isProcess: true,
    };
  }
  const url = URL.canParse(serverUrl ?? '') ? new URL(serverUrl ?? '') : undefined;
  if (url === undefined) throw usageFailure(`${JSON.stringify(serverUrl)} is not the address of a server.`);
  const server = { url, headers: Object.fromEntries(header.map(parseHeader)), params: createParamHeaders() };
  const open = (): Channel => createHttpBack(server);
  return { name: serverNameFromUrl(url), about: url.origin, open, isProcess: false };
}

function parseHeader(text: string): readonly [string, string] {
  const [, name, value] = /^([\w-]+)=(.*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    throw usageFailure(`${JSON.stringify(text)} is not a header.`, ['--header authorization="Bearer …"']);
  }
  return [name, value];
}
