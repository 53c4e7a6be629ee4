import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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
import { suggestedOrigin } from '../connection/gateway-address.js';

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
    throw usageFailure('Which server? Give its command after --, or use --server-url.', [
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

/** A package: its name, and its version if it has one. */
interface Package {
  readonly name: string;
  readonly version?: string;
}

/** What the nearest `package.json` above a file says; `undefined` if there is none, or it cannot be read. */
function packageOf(file: string): Package | undefined {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const text = readIfThere(join(folder, 'package.json'));
    if (text !== undefined) return packageIn(text);
    if (dirname(folder) === folder) return undefined;
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function packageIn(text: string): Package | undefined {
  try {
    const { name, version } = JSON.parse(text) as { readonly name?: unknown; readonly version?: unknown };
    if (typeof name !== 'string' || name === '') return undefined;
    return { name, ...(typeof version === 'string' ? { version } : {}) };
  } catch {
    return undefined;
  }
}

/**
 * The address of a server over HTTP. Anything else is not repeated, since it may contain a secret.
 *
 * @throws CommandFailure for what is not http or https, and for an address with a user name or a password
 */
function parseServerUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw usageFailure(
      '--server-url is not the address of a server: it must begin with http:// or https://.',
      [`--server-url ${suggestedOrigin(text) ?? 'https://HOST'}/…`],
    );
  }
  if (url.username === '' && url.password === '') return url;
  throw usageFailure('--server-url contains a user name or a password. Send them in a header instead.', [
    '--header authorization="Basic …"   # … is NAME:PASSWORD in base64',
  ]);
}

const NAME = /^[!#$%&'*+.^`|~\w-]+/;
/** What an HTTP header value can contain: no line breaks, and nothing beyond Latin-1. */
const VALUE = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;

/**
 * A header as `name=value`. For anything else, at most the name is repeated: the value is often a secret.
 *
 * @throws CommandFailure for another form, and for a value that cannot be sent
 */
function parseHeader(text: string): readonly [name: string, value: string] {
  const [name = ''] = NAME.exec(text) ?? [];
  const separator = text.charAt(name.length);
  if (name === '' || separator !== '=') {
    const which = separator === ':' && name !== '' ? `--header ${name}` : 'A --header';
    throw usageFailure(`${which} is not written as name=value.`, ['--header authorization="Bearer …"']);
  }
  const value = text.slice(name.length + 1);
  if (VALUE.test(value)) return [name, value];
  throw usageFailure(`--header ${name} has a character in its value that no header can have.`, [
    'Check for line breaks, and for letters that were changed when it was copied.',
  ]);
}
