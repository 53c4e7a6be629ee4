import {
  createUpstreamStdio,
  identityOfCommand,
  identityOfUrl,
  type JsonRpcChannel,
  type ServerSource,
  serverNameFrom,
  serverNameFromUrl,
  sourceOfCommand,
} from '@proffer/mcp';
import type { ForwardedCredential, UpstreamAuth } from '@proffer/mcp/http';
import { usageFailure } from '../command-failure.js';
import { packageOf } from './package-of.js';
import { parseHeader, parseServerUrl } from './server-address.js';

/** Options that name the server other than by its command. */
export interface ServerOptions {
  readonly serverUrl?: string;
  readonly header?: readonly string[];
}

/** The server behind a guard or a bridge: a short name for it, and how to reach it. */
export interface ServerTarget {
  readonly name: string;
  /** Distinguishes it from another of the same name. */
  readonly identity: string;
  /** Where its code comes from, for people to judge. */
  readonly source: ServerSource;
  /** The program to start, or the server's address; never a secret. */
  readonly about: string;
  readonly open: (credential?: ForwardedCredential) => JsonRpcChannel;
  /** How clients authorize with it, if it is at an address. */
  readonly auth?: UpstreamAuth;
  /** Whether each connection to it is a process. */
  readonly isProcess: boolean;
}

/**
 * The server named on the command line, by command or by address.
 *
 * @param usage - what precedes the server's command, such as `proffer guard`
 */
export async function serverBehind(
  command: readonly string[],
  options: ServerOptions,
  usage: string,
): Promise<ServerTarget> {
  const { serverUrl, header = [] } = options;
  const [program, ...args] = command;
  if ((program === undefined) === (serverUrl === undefined)) {
    throw usageFailure('Which server? Either its command, after --, or --server-url.', [
      `${usage} -- npx -y SERVER`,
    ]);
  }
  if (program !== undefined) {
    const place = { folder: process.cwd(), packageOf };
    return {
      name: serverNameFrom(command, place),
      source: sourceOfCommand(command, place),
      identity: identityOfCommand(command, process.cwd()),
      about: program,
      open: () => createUpstreamStdio({ command: program, args }),
      isProcess: true,
    };
  }
  const url = parseServerUrl(serverUrl ?? '');
  const { createParamHeaders, createUpstreamRemote, createUpstreamAuth } = await import('@proffer/mcp/http');
  const server = { url, headers: Object.fromEntries(header.map(parseHeader)), params: createParamHeaders() };
  const open = (credential?: ForwardedCredential): JsonRpcChannel =>
    createUpstreamRemote({ ...server, credential });
  const identity = identityOfUrl(url);
  const auth = createUpstreamAuth(server);
  const source = { program: `${url.origin}${url.pathname}` };
  const name = serverNameFromUrl(url);
  return { name, source, identity, about: url.origin, open, auth, isProcess: false };
}
