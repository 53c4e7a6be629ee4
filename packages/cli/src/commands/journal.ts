import { verifyLocalJournal } from '@proffer/journal';
import type { Command } from 'commander';
import { CommandFailure } from '../command-failure.js';
import { count } from '../display/count.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { cutItOff, sayCutOff, tellCutOff } from '../journal/cut-off.js';
import { foldJournal } from '../journal/fold.js';
import { type DataOptions, journalFolder, withFolder } from '../journal/folder.js';
import { printFold } from '../journal/print-fold.js';
import { seqOption } from '../option-values.js';
import type { Shell } from '../terminal/shell.js';
import { visible } from '../terminal/visible.js';

/** `proffer replay` and `proffer verify`: a journal's folder, without a gateway. */
export function addJournal(program: Command, shell: Shell, done: (code: ExitCode) => void): void {
  withFolder(program.command('replay').description('Fold a journal and print the state it leads to'))
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
      tellCutOff(fold.cutOff, 'left out', shell);
      printFold(fold, shell, options.json === true);
      done(EXIT.done);
    });

  withFolder(program.command('verify').description('Check every record and every chain of a journal'))
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
  const { records, streams, faults, cutOff } = verified.value;
  const whole = faults.length === 0 && cutOff === undefined;
  const read = `${count(records, 'record')} in ${count(streams, 'stream')}`;
  if (options.json === true) {
    const end = cutOff === undefined ? {} : { cutOff };
    shell.print(JSON.stringify({ folder, whole, records, streams, faults, ...end }));
  } else if (whole) {
    shell.print(`${style.green('✓')} ${folder} is whole: ${read}, every chain unbroken.`);
  } else if (faults.length > 0) {
    shell.print(`${style.red('✗')} ${folder} is damaged, in ${count(faults.length, 'place')}:`);
    for (const { file, offset, stream, version, refusal } of faults) {
      const place = file === undefined ? folder : `${file}, byte ${offset ?? 0}`;
      const record = stream === undefined ? '' : `: record ${version ?? '?'} of ${visible(stream)}`;
      shell.print(
        `  ${style.bold(visible(place))}${record}`,
        `    ${style.red(refusal.code)}  ${visible(refusal.message)}`,
        ...cutItOff(refusal.details).map((step) => `    ${style.cyan('→')} ${visible(step)}`),
      );
    }
    shell.print(`${read} were read.`);
  }
  if (options.json !== true && cutOff !== undefined) {
    shell.print(
      ...(faults.length > 0
        ? []
        : [`${style.yellow('!')} ${folder} is whole up to its last write: ${read}.`]),
      ...sayCutOff(cutOff, shell),
      '  The next start drops these bytes; a gateway that runs may just be writing them.',
      `  ${style.cyan('→')} cp -r ${visible(folder)} COPY   ${style.dim('# keeps them, if there was no crash')}`,
    );
  }
  if (faults.length > 0) return EXIT.refused;
  return cutOff === undefined ? EXIT.done : EXIT.cutOff;
}
