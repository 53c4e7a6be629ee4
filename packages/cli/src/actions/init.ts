import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { exampleConfig } from '@proffer/gateway/config';
import { createToken } from '@proffer/gateway/token';
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
  shell.print(
    `${style.green('✓')} Wrote ${resolve(file)}: three participants, and every setting explained.`,
    '',
    'Their tokens. They are shown only once; the file holds only their hashes.',
    ...Object.entries(tokens).map(([name, { token }]) => `  ${pad(name, 8)}  ${style.bold(token)}`),
    '',
    style.dim(`${shell.name} up --config ${shellWord(file)}`),
    style.dim(`PROFFER_TOKEN=… ${shell.name} inbox`),
  );
}
