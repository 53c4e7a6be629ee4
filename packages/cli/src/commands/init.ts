import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { isParticipantName } from '@proffer/core/name';
import { createToken } from '@proffer/gateway/token';
import { CommandFailure, EXIT, usageFailure } from '../command-failure.js';
import type { AddCommands } from '../command-families.js';
import { printJson, type Shell, shellWord } from '../terminal/shell.js';
import { pad, visible } from '../terminal/visible.js';

/** `proffer init`, `proffer token` and `proffer key`: for operators, before the first start. */
export const addInit: AddCommands = (program, shell) => {
  program
    .command('init')
    .argument('[file]', 'the file to write', 'proffer.yaml')
    .description('Write a commented configuration; never overwrites a file')
    .action(async (file: string) => await init(file, shell));

  program
    .command('token')
    .argument('[name]', 'the participant it is for')
    .description('Create a token, and show the lines for the configuration')
    .option('--json', 'print JSON')
    .action(async (name: string | undefined, { json }: { readonly json?: boolean }) => {
      if (name === undefined)
        throw usageFailure('Name the participant that the token is for.', [`${shell.name} token agent`]);
      makeToken(name, json === true, shell);
    });

  program
    .command('key')
    .description('Create a key for gateways that share a journal on NATS, or for a signed log')
    .option('--log <name>', 'a key for the signed log of this name')
    .addHelpText(
      'after',
      `
Prints one line for the file that journal.nats.key_file names. All gateways on
a journal need the same file. Its first key signs records, and all of them are
accepted. To replace a key:
  1. Add the new key at the end of the file on every machine.
  2. Restart the gateways.
  3. Move the new key to the top of the file on every machine.
  4. Restart the gateways again.
The old key stays in the file, because it has signed earlier records.

With --log: one line for the file that evidence.key names. Every key in it signs
each checkpoint. To replace a key: put the new one at the top, with the same
name, and restart the gateway. Remove the old one once everyone who checks the
log has the new one.

Keys of participants, which sign approvals: ${shell.name} keys`,
    )
    .action(async ({ log }: { readonly log?: string }) =>
      shell.print(await (log === undefined ? newKey() : newLogKey(log))),
    );
};

/** Prints a new token, and the configuration entry for it. */
function makeToken(name: string, asJson: boolean, shell: Shell): void {
  if (!isParticipantName(name))
    throw usageFailure(`${JSON.stringify(name)} is not a valid participant name.`);
  const { token, hash } = createToken();
  if (asJson) {
    printJson({ name, token, hash }, shell);
    return;
  }
  const { style } = shell;
  const key = /^[A-Za-z][\w-]*$/.test(name) ? name : JSON.stringify(name);
  shell.print(
    `Token for ${visible(name)}, shown only once:`,
    '',
    `  ${style.bold(token)}`,
    '',
    'Add its hash to the configuration:',
    '',
    'participants:',
    `  ${key}:`,
    '    tokens:',
    `      - ${hash}`,
    '    spaces:',
    '      main: [mcp.proposal.*, mcpx.withdraw.proposal, chat.message]   # what it may do there',
    '',
    style.dim('Send SIGHUP to a running gateway to load it.'),
  );
}

/** Writes an initial configuration if there is none. */
async function init(file: string, shell: Shell): Promise<void> {
  const { exampleConfig, KEY_FILE, LOG_KEY_FILE } = await import('@proffer/gateway/config');
  const tokens = { agent: createToken(), reviewer: createToken(), tools: createToken() };
  const text = exampleConfig({
    agent: tokens.agent.hash,
    reviewer: tokens.reviewer.hash,
    tools: tokens.tools.hash,
  });
  try {
    await writeFile(file, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') {
      throw new CommandFailure({
        exit: EXIT.refused,
        code: 'exists',
        message: `${file} already exists and was not changed.`,
        next: [`${shell.name} init other.yaml`, `${shell.name} up --config ${shellWord(file)}`],
      });
    }
    throw usageFailure(`${file} cannot be written: ${message}.`);
  }
  const { style } = shell;
  const keys = await writeNew(join(dirname(file), KEY_FILE), [
    '# Keys that the gateways on a NATS journal share (journal.nats.key_file). Whoever has one can forge records.',
    '# The first key signs, all of them are accepted. `proffer key` makes another one.',
    await newKey(),
  ]);
  const logKey = await writeNew(join(dirname(file), LOG_KEY_FILE), [await newLogKey(logName())]);
  shell.print(
    `${style.green('✓')} Wrote ${resolve(file)}: three participants, and every setting explained.`,
    ...(keys === undefined
      ? []
      : [`${style.green('✓')} Wrote ${keys}: a key for gateways that share a journal on NATS.`]),
    ...(logKey === undefined
      ? []
      : [`${style.green('✓')} Wrote ${logKey}: the key that signs the log of what happened.`]),
    '',
    'The tokens of the participants. They are shown only once; the file holds only their hashes.',
    ...Object.entries(tokens).map(([name, { token }]) => `  ${pad(name, 8)}  ${style.bold(token)}`),
    '',
    style.dim(`${shell.name} up --config ${shellWord(file)}`),
    style.dim(`PROFFER_TOKEN=… ${shell.name} inbox`),
  );
}

/** Writes a file that only its owner can read, and returns its path; `undefined` if there is one, which stays. */
async function writeNew(file: string, lines: readonly string[]): Promise<string | undefined> {
  try {
    await writeFile(file, `${lines.join('\n')}\n`, { flag: 'wx', mode: 0o600 });
    return resolve(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    throw error;
  }
}

/** The line of a new key for gateways that share a journal. */
async function newKey(): Promise<string> {
  return (await import('@proffer/journal/nats-keys')).createKeyLine();
}

/** The line of a new key for a signed log. */
async function newLogKey(name: string): Promise<string> {
  if (!/^[^\s+]{1,200}$/u.test(name))
    throw usageFailure('The name of a log has no spaces and no "+", and at most 200 characters.', [
      'proffer key --log example.com/approvals',
    ]);
  const { formatSignerKey, makeSignerKey } = await import('@proffer/evidence/node');
  return formatSignerKey(makeSignerKey(name));
}

/** A name that no other log has: checkpoints of two logs must not be confused. */
function logName(): string {
  return `${hostname().replaceAll(/[^\w.-]/g, '-')}/proffer-${randomBytes(4).toString('hex')}`;
}
