import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type Identity, listAddresses } from '@proffer/client/http';
import { defined } from '@proffer/core/json';
import type { Command } from 'commander';
import { CommandFailure, EXIT, usageFailure } from '../command-failure.js';
import type { AddCommands } from '../command-families.js';
import { CA, DEFAULT_URL, withUrl } from '../command-options.js';
import { createConnection } from '../connection/connection.js';
import { credentialsFile, keepCredential, storedParticipants } from '../connection/credentials.js';
import { type Endpoint, isToken, trustedFile, withOneUrl } from '../connection/endpoint.js';
import { parseGatewayUrl } from '../connection/gateway-address.js';
import { printJson, type Shell } from '../terminal/shell.js';
import { visible } from '../terminal/visible.js';

/** `proffer login` and `proffer logout`: a token that every command uses for its gateway. */
export const addLogin: AddCommands = (program, shell) => {
  withUrl(
    program.command('login').description('Store your token for a gateway, after checking that it works'),
  )
    .option('--token <token>', 'the token (default: asked for, or read from standard input)')
    .option('--space <name>', 'the default space for commands on this gateway')
    .option('--ca <file>', CA)
    .addHelpText(
      'after',
      `
The token is stored in credentials.json in the config folder, which only you
can read. --token and PROFFER_TOKEN take precedence.

Examples:
  ${shell.name} login --url https://gateway.example
  ${shell.name} login --url https://gateway.example < token.txt`,
    )
    .action(async (options: LoginOptions) => await login(options, shell));

  withGateway(program.command('logout').description('Remove the stored token for a gateway')).action(
    async (options: LoginOptions) => {
      logout(options, shell);
    },
  );
};

function withGateway(command: Command): Command {
  return withUrl(command).option('--json', 'print JSON');
}

/** Command-line options of `login` and `logout`. */
interface LoginOptions {
  readonly url?: string;
  readonly gateway?: string;
  readonly token?: string;
  readonly space?: string;
  readonly ca?: string;
  readonly json?: boolean;
}

/** Stores a token for a gateway, once the gateway has accepted it. */
async function login(options: LoginOptions, shell: Shell): Promise<void> {
  const { env } = shell;
  const { url } = gatewayOf(options, shell);
  const token = options.token ?? (await readSecret(`Token for ${visible(url)}: `, shell));
  if (token === '') throw usageFailure('No token was given.', ['--token …   # or on standard input']);
  if (!isToken(token)) throw usageFailure('The token contains invalid characters.');
  const ca = trustedFile(options.ca, env);
  const given = { url, token, ...defined({ ca: options.ca }) };
  const endpoint = { url, space: 'main', token, assumed: false, given, ...defined({ ca }) };
  const identity = await createConnection(endpoint, shell.name).whoAmI();
  const unchecked = await unanswered(endpoint, shell);
  const space = spaceFor(identity, options.space);
  const caFile = options.ca ?? env['PROFFER_CA'];
  const { participant } = identity;
  const replaced = storedParticipants(url, env).filter((name) => name !== participant);
  keepCredential(
    url,
    {
      token,
      participant,
      ...(space === undefined || space === 'main' ? {} : { space }),
      ...(ca === undefined || caFile === undefined ? {} : { ca: resolve(caFile) }),
    },
    env,
  );
  const spaces = identity.spaces.map(({ name }) => name);
  if (options.json === true)
    return printJson({ url, participant, spaces, space: space ?? null, unchecked }, shell);
  const reached = listAddresses(url).filter((address) => !unchecked.includes(address));
  shell.print(`Signed in to ${visible(reached.join(','))} as ${shell.style.bold(visible(participant))}.`);
  for (const name of replaced) shell.print(`This replaces the token of ${visible(name)}.`);
  for (const address of unchecked)
    shell.tell(
      shell.style.yellow(`${visible(address)} did not answer; the token is stored for it unchecked.`),
    );
  if (space === undefined)
    shell.print(
      `Your spaces: ${spaces.map(visible).join(', ')}. Name one with --space, here or on each command.`,
    );
  else if (space !== 'main') shell.print(`Commands use the space ${visible(space)} there.`);
  shell.print(shell.style.dim(`  stored in ${visible(credentialsFile(env))}`));
}

/**
 * The gateways among several that do not answer now. They may be restarting one after another, so this is not
 * an error.
 *
 * @throws CommandFailure for one that refuses the token, or is not a gateway
 */
async function unanswered(endpoint: Endpoint, { name }: Shell): Promise<readonly string[]> {
  const addresses = listAddresses(endpoint.url);
  // A single address has been checked already.
  if (addresses.length === 1) return [];
  const silent = addresses.map(async (url) => {
    try {
      await createConnection({ ...endpoint, url }, name).whoAmI();
      return [];
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      const { code, message } = error.failure;
      if (code === 'unreachable') return [url];
      throw new CommandFailure(
        { ...error.failure, message: `${url}: ${message} Nothing was stored.` },
        error,
      );
    }
  });
  return (await Promise.all(silent)).flat();
}

/** The space for later commands: the named one, else `main`, else the only one there is. */
function spaceFor({ participant, spaces }: Identity, wanted: string | undefined): string | undefined {
  const names = spaces.map(({ name }) => name);
  if (wanted !== undefined && !names.includes(wanted))
    throw new CommandFailure({
      exit: EXIT.refused,
      code: 'forbidden_space',
      message: `${JSON.stringify(participant)} may not enter the space ${JSON.stringify(wanted)}; nothing was stored.`,
      details: { space: wanted, your_spaces: names },
      next: names.length === 0 ? [] : [`--space NAME   # one of: ${names.join(', ')}`],
    });
  if (wanted !== undefined) return wanted;
  if (names.includes('main')) return 'main';
  return names.length === 1 ? names[0] : undefined;
}

/** Forgets the token for a gateway. */
function logout(options: LoginOptions, shell: Shell): void {
  const { url } = gatewayOf(options, shell);
  const wasThere = keepCredential(url, undefined, shell.env);
  if (options.json === true) printJson({ url, removed: wasThere }, shell);
  else
    shell.print(
      wasThere ? `Signed out of ${visible(url)}.` : `There is no stored token for ${visible(url)}.`,
    );
}

function gatewayOf(options: LoginOptions, { env }: Shell) {
  return parseGatewayUrl(withOneUrl(options).url ?? (env['PROFFER_URL'] || DEFAULT_URL));
}

/** A secret from stdin: typed without echo on a terminal, else everything piped in, trimmed. */
async function readSecret(
  question: string,
  { stdin, stdout }: Pick<Shell, 'stdin' | 'stdout'>,
): Promise<string> {
  if (stdin.isTTY !== true) return (await text(stdin)).trim();
  stdout.write(question);
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: unseen, terminal: true });
  const ends = new AbortController();
  const end = (): void => ends.abort();
  lines.once('SIGINT', end);
  lines.once('close', end);
  try {
    return (await lines.question('', { signal: ends.signal })).trim();
  } catch {
    return '';
  } finally {
    lines.close();
    stdout.write('\n');
  }
}
