import { hostname } from 'node:os';
import { defined } from '@proffer/core/json';
import { CommandFailure, EXIT, usageFailure } from '../command-failure.js';
import type { AddCommands } from '../command-families.js';
import { durationOption, type EndpointOptions, withEndpoint } from '../command-options.js';
import { connect } from '../connection/connect.js';
import type { GatewayConnection } from '../connection/connection.js';
import { sameOptions } from '../connection/endpoint.js';
import {
  dropSigningKey,
  findSigningKey,
  keepSigningKey,
  signingKeysFile,
} from '../connection/signing-keys.js';
import { meaningsOf, readTypedId } from '../proposals/find-proposal.js';
import { ownSigner } from '../proposals/sign-approval.js';
import { printJson, type Shell } from '../terminal/shell.js';
import { formatSpan, visible } from '../terminal/visible.js';

/** `proffer keys`: what you sign your decisions with, where a space demands that (O-49). */
export const addKeys: AddCommands = (program, shell) => {
  const keys = program
    .command('keys')
    .description('Keys that sign approvals, where a space demands that')
    .addHelpText(
      'after',
      `
The first key of a participant needs a code, which an operator makes. People use
passkeys in the console. The keys of this command are in signing-keys.json in
the config folder, which only you can read. approve uses them by itself.
Keys of gateways, for NATS or a signed log: ${shell.name} key

Examples:
  ${shell.name} keys allow alice
  ${shell.name} keys add --code abcd-efgh-ijkm-npqr
  ${shell.name} keys revoke KEY`,
    );
  withEndpoint(
    keys
      .command('list', { isDefault: true })
      .description('List the keys in force')
      .option('--json', 'print JSON'),
  ).action(async (options: KeysOptions) => await list(options, shell));
  withEndpoint(
    keys
      .command('add')
      .description('Make a key on this machine, and register it')
      .option('--code <code>', 'the code of an operator; not needed if another key of yours is here')
      .option('--label <label>', 'what you call it (default: the name of this machine)')
      .option('--json', 'print JSON'),
  ).action(async (options: AddOptions) => await add(options, shell));
  withEndpoint(
    keys
      .command('allow')
      .argument('<name>', 'who may register a key')
      .description('Make a code with which somebody registers a key, for operators')
      .option('--for <duration>', 'how long the code is valid, such as 1h (default: one day)', durationOption)
      .option('--json', 'print JSON'),
  ).action(async (name: string, options: AllowOptions) => await allow(name, options, shell));
  withEndpoint(
    keys
      .command('revoke')
      .argument('<key>', 'the id of the key, or its beginning')
      .description("Revoke a key at once: yours, or as an operator anybody's")
      .option('-r, --reason <reason>', 'why; everyone sees it')
      .option('--json', 'print JSON'),
  ).action(async (key: string, options: RevokeOptions) => await revoke(key, options, shell));
};

interface KeysOptions extends EndpointOptions {
  readonly json?: boolean;
}

interface AddOptions extends KeysOptions {
  readonly code?: string;
  readonly label?: string;
}

interface AllowOptions extends KeysOptions {
  /** Milliseconds. */
  readonly for?: number;
}

interface RevokeOptions extends KeysOptions {
  readonly reason?: string;
}

async function list({ json, ...options }: KeysOptions, shell: Shell): Promise<void> {
  const connection = connect(options, shell, 'reviewer');
  const { keys } = await connection.keys();
  const file = signingKeysFile(shell.env);
  const listed = keys.map((key) =>
    Object.assign({ isHere: findSigningKey(file, key.id) !== undefined }, key),
  );
  if (json === true) return printJson({ keys: listed }, shell);
  if (listed.length === 0) {
    const add = `  ${shell.name} keys add --code CODE${sameOptions(connection.endpoint)}`;
    return shell.print('Nobody here has a key.', shell.style.dim(add));
  }
  shell.print(
    ...listed.map(({ participant, id, type, label = '', at, isHere }) => {
      const what = type === 'passkey' ? 'passkey' : isHere ? 'key on this machine' : 'key';
      const name = shell.style.bold(visible(participant));
      const age = `${formatSpan(shell.now() - at)} old`;
      return `${name}  ${what}  ${visible(label)}  ${shell.style.dim(`${visible(id)}  ${age}`)}`;
    }),
  );
}

async function add({ code, label, json, ...options }: AddOptions, shell: Shell): Promise<void> {
  const connection = connect(options, shell, 'reviewer');
  const { makeSigningKey, registration } = await import('@proffer/client/participation');
  const signer = code === undefined ? await ownSigner(connection) : undefined;
  if (code === undefined && signer === undefined)
    throw usageFailure('A first key needs a code, which an operator makes.', [
      `${shell.name} keys allow NAME${sameOptions(connection.endpoint)}   # for an operator`,
      `${shell.name} keys add --code CODE${sameOptions(connection.endpoint)}`,
    ]);
  const { participant } = await connection.whoAmI();
  const { space } = connection.endpoint;
  const key = makeSigningKey();
  const by = signer === undefined ? { code: code ?? '' } : { signer };
  const named = { space, participant, label: label ?? hostname().slice(0, 100), by };
  const payload = await registration(key, named);
  const file = signingKeysFile(shell.env);
  // Before it is registered: a key that is not registered does no harm, one that is lost does.
  keepSigningKey(file, key);
  try {
    const sent = await connection.send({ kind: 'mcpx.register.key', payload });
    if (json === true) return printJson({ ...sent, key: key.x, file }, shell);
  } catch (error) {
    dropSigningKey(file, key.x);
    throw error;
  }
  shell.print(
    `${visible(participant)} signs with the key ${visible(key.x)} from now on.`,
    shell.style.dim(`  It is in ${visible(file)}, which only you can read.`),
  );
}

async function allow(
  name: string,
  { for: ttl, json, ...options }: AllowOptions,
  shell: Shell,
): Promise<void> {
  const connection = connect(options, shell, 'reviewer');
  const payload = { participant: name, ...defined({ ttl }) };
  const sent = await connection.send({ kind: 'mcpx.allow.key', payload });
  const { code = '', until = shell.now() } = sent.key_code ?? {};
  if (json === true) return printJson({ ...sent }, shell);
  const span = formatSpan(until - shell.now());
  shell.print(
    `${visible(name)} may register one key with this code, within ${span}:`,
    '',
    `  ${shell.style.bold(visible(code))}`,
    '',
    shell.style.dim(`  in the console, under People, or: ${shell.name} keys add --code …`),
  );
}

async function revoke(
  text: string,
  { reason, json, ...options }: RevokeOptions,
  shell: Shell,
): Promise<void> {
  const connection = connect(options, shell, 'reviewer');
  const { participant, id } = await findKey(text, connection);
  const payload = { key: id, participant, ...defined({ reason }) };
  const sent = await connection.send({ kind: 'mcpx.unregister.key', payload });
  const file = signingKeysFile(shell.env);
  if (findSigningKey(file, id) !== undefined) dropSigningKey(file, id);
  if (json === true) printJson({ ...sent, key: id, participant }, shell);
  else shell.print(`The key ${visible(id)} of ${visible(participant)} no longer counts.`);
}

async function findKey(text: string, connection: GatewayConnection) {
  const { keys } = await connection.keys();
  const typed = readTypedId(text);
  const ids = meaningsOf(
    typed,
    keys.map(({ id }) => id),
  );
  const found = typed.text === '' ? [] : keys.filter(({ id }) => ids.includes(id));
  const [key, ...others] = found;
  if (key !== undefined && others.length === 0) return key;
  throw new CommandFailure({
    exit: EXIT.refused,
    code: 'unknown_key',
    message:
      key === undefined
        ? `No key in force begins with ${JSON.stringify(visible(text))}.`
        : `${found.length} keys begin with ${visible(text)}; type more of it.`,
    next: [`${connection.name} keys list${sameOptions(connection.endpoint)}`],
  });
}
