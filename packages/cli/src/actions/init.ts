import { writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { exampleConfig, KEY_FILE } from '@proffer/gateway/config';
import { createToken } from '@proffer/gateway/token';
import { createKeyLine } from '@proffer/journal/nats-keys';
import { CommandFailure, usageFailure } from '../command-failure.js';
import { EXIT } from '../exit-code.js';
import type { Shell } from '../terminal/shell.js';
import { shellWord } from '../terminal/shell-word.js';
import { pad } from '../terminal/width.js';

/** Writes an initial configuration if there is none. */
export async function init(file: string, shell: Shell): Promise<void> {
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
  const keys = await writeKeys(join(dirname(file), KEY_FILE));
  shell.print(
    `${style.green('✓')} Wrote ${resolve(file)}: three participants, and every setting explained.`,
    ...(keys === undefined
      ? []
      : [`${style.green('✓')} Wrote ${keys}: a key for gateways that share a journal on NATS.`]),
    '',
    'The tokens of the participants. They are shown only once; the file holds only their hashes.',
    ...Object.entries(tokens).map(([name, { token }]) => `  ${pad(name, 8)}  ${style.bold(token)}`),
    '',
    style.dim(`${shell.name} up --config ${shellWord(file)}`),
    style.dim(`PROFFER_TOKEN=… ${shell.name} inbox`),
  );
}

/** Writes a file with a new key, and returns its path; `undefined` if there is one, which stays. */
async function writeKeys(file: string): Promise<string | undefined> {
  const lines = [
    '# Keys that the gateways on a NATS journal share (journal.nats.key_file). Whoever has one can forge records.',
    '# The first key signs, all of them are accepted. `proffer key` makes another one.',
    createKeyLine(),
    '',
  ];
  try {
    await writeFile(file, lines.join('\n'), { flag: 'wx', mode: 0o600 });
    return resolve(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    throw error;
  }
}
