import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isParticipantName } from '@proffer/core';
import { createToken, exampleConfig } from '@proffer/gateway';
import type { Command } from 'commander';
import { CommandFailure, usageFailure } from '../command-failure.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import type { Shell } from '../terminal/shell.js';
import { visible } from '../terminal/visible.js';
import { pad } from '../terminal/width.js';

/** `proffer init` and `proffer token`: what an operator needs before the first start. */
export function addSetup(program: Command, shell: Shell, done: (code: ExitCode) => void): void {
  program
    .command('init')
    .argument('[file]', 'the file to write', 'proffer.yaml')
    .description('Write a commented configuration to begin with; never overwrites')
    .action(async (file: string) => {
      await init(file, shell);
      done(EXIT.done);
    });

  program
    .command('token')
    .argument('[name]', 'the participant it is for')
    .description('Make a token: printed once, with what to put into the configuration')
    .option('--json', 'answer in JSON')
    .action((name: string | undefined, { json }: { readonly json?: boolean }) => {
      if (name === undefined)
        throw usageFailure('Whom is the token for? Give the name of a participant.', [
          `${shell.name} token agent`,
        ]);
      makeToken(name, json === true, shell);
      done(EXIT.done);
    });
}

async function init(file: string, shell: Shell): Promise<void> {
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
        message: `${file} is there already and stays as it is.`,
        next: [`${shell.name} init other.yaml`, `${shell.name} up --config ${file}`],
      });
    }
    throw usageFailure(`${file} cannot be written: ${message}.`);
  }
  const { style } = shell;
  shell.print(
    `${style.green('✓')} Wrote ${resolve(file)}: three participants, and every setting explained.`,
    '',
    'Their tokens. They are shown now and never again; the file holds only hashes.',
    ...Object.entries(tokens).map(([name, { token }]) => `  ${pad(name, 8)}  ${style.bold(token)}`),
    '',
    style.dim(`${shell.name} up --config ${file}`),
    style.dim(`PROFFER_TOKEN=… ${shell.name} inbox`),
  );
}

function makeToken(name: string, asJson: boolean, shell: Shell): void {
  if (!isParticipantName(name))
    throw usageFailure(`${JSON.stringify(name)} cannot be the name of a participant.`);
  const { token, hash } = createToken();
  if (asJson) {
    shell.print(JSON.stringify({ name, token, hash }));
    return;
  }
  const { style } = shell;
  const key = /^[A-Za-z][\w-]*$/.test(name) ? name : JSON.stringify(name);
  shell.print(
    `Token for ${visible(name)}, shown now and never again:`,
    '',
    `  ${style.bold(token)}`,
    '',
    'The configuration knows it by its hash:',
    '',
    'participants:',
    `  ${key}:`,
    '    tokens:',
    `      - ${hash}`,
    '    spaces:',
    '      main: [mcp.proposal.*, mcpx.withdraw.proposal, chat.message]   # what it may do there',
    '',
    style.dim('A running gateway takes it over when it gets SIGHUP.'),
  );
}
