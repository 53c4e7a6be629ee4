import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { verifyLocalJournal } from '@proffer/journal';
import type { Command } from 'commander';
import { CommandFailure } from '../command-failure.js';
import { count } from '../display/count.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { foldJournal } from '../journal/fold.js';
import { defaultFolder } from '../journal/folder.js';
import { printFold } from '../journal/print-fold.js';
import { seqOption } from '../option-values.js';
import type { Shell } from '../terminal/shell.js';
import { visible } from '../terminal/visible.js';
import { CONFIG_FILE, devFolder } from '../up/configure.js';

interface DataOptions {
  readonly data?: string;
  readonly json?: boolean;
}

const DATA = 'the folder of the journal (default that of proffer.yaml if it is there, else proffer-dev-data)';

/** `proffer replay` and `proffer verify`: a journal's folder, without a gateway. */
export function addJournal(program: Command, shell: Shell, done: (code: ExitCode) => void): void {
  program
    .command('replay')
    .description('Fold a journal and print the state it leads to')
    .option('--data <folder>', DATA)
    .option('--until <seq>', 'stop after this seq: the state as it was then', seqOption)
    .option('--space <name>', 'only this space')
    .option('--json', 'the whole state as JSON')
    .action(async (options: DataOptions & { readonly until?: number; readonly space?: string }) => {
      const folder = await journalFolder(options, shell);
      const { until, space } = options;
      const fold = await foldJournal(folder, {
        ...(until === undefined ? {} : { until }),
        ...(space === undefined ? {} : { space }),
      });
      if (space !== undefined && fold.records === 0) throw noSuchSpace(space, folder, until);
      printFold(fold, shell, options.json === true);
      done(EXIT.done);
    });

  program
    .command('verify')
    .description('Check every record and every chain of a journal')
    .option('--data <folder>', DATA)
    .option('--json', 'answer in JSON')
    .action(async (options: DataOptions) => done(await verify(options, shell)));
}

function noSuchSpace(space: string, folder: string, until: number | undefined): CommandFailure {
  const then = until === undefined ? '' : ` up to seq ${until}`;
  const message = `There is no space ${JSON.stringify(space)} in ${folder}${then}.`;
  return new CommandFailure({ exit: EXIT.refused, code: 'unknown_space', message, details: { space } });
}

async function verify(options: DataOptions, shell: Shell): Promise<ExitCode> {
  const { style } = shell;
  const folder = await journalFolder(options, shell);
  const verified = await verifyLocalJournal(folder);
  if (!verified.ok) {
    const { code, message, details } = verified.refusal;
    throw new CommandFailure({ exit: EXIT.refused, code, message, details });
  }
  const { records, streams, faults } = verified.value;
  const whole = faults.length === 0;
  if (options.json === true) shell.print(JSON.stringify({ folder, whole, records, streams, faults }));
  else if (whole) {
    shell.print(
      `${style.green('✓')} ${folder} is whole: ${count(records, 'record')} in ${count(streams, 'stream')}, every chain unbroken.`,
    );
  } else {
    shell.print(`${style.red('✗')} ${folder} is damaged, in ${count(faults.length, 'place')}:`);
    for (const { file, offset, stream, version, refusal } of faults) {
      const place = file === undefined ? folder : `${file}, byte ${offset ?? 0}`;
      const record = stream === undefined ? '' : `: record ${version ?? '?'} of ${visible(stream)}`;
      shell.print(
        `  ${style.bold(visible(place))}${record}`,
        `    ${style.red(refusal.code)}  ${visible(refusal.message)}`,
      );
    }
    shell.print(`${count(records, 'record')} in ${count(streams, 'stream')} were read.`);
  }
  return whole ? EXIT.done : EXIT.refused;
}

/** The folder that was asked for. Reading must not make one, so there has to be a journal in it. */
async function journalFolder({ data }: DataOptions, shell: Shell): Promise<string> {
  const folder = resolve(data ?? defaultFolder(shell));
  const isJournal = await stat(join(folder, 'format.json')).then(
    () => true,
    () => false,
  );
  if (isJournal) return folder;
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  throw new CommandFailure({
    exit: EXIT.usage,
    code: 'no_journal',
    message: isFolder ? `There is no journal in ${folder}.` : `There is no folder ${folder}.`,
    next: [
      '--data FOLDER   # where the gateway keeps it',
      existsSync(CONFIG_FILE)
        ? `${shell.name} up   # makes the one of ${CONFIG_FILE}; that of dev mode is ${devFolder(shell.env)}`
        : `${shell.name} up --dev   # makes one in ${devFolder(shell.env)}`,
    ],
  });
}
