import type { Command } from 'commander';
import type { RepairOptions } from '../actions/journal/repair.js';
import type { ReplayOptions } from '../actions/journal/replay.js';
import type { ExitCode } from '../exit-code.js';
import { type DataOptions, withFolder } from '../journal/folder-options.js';
import { seqOption } from '../option-values.js';
import type { Shell } from '../terminal/shell.js';

/** `proffer replay`, `proffer verify` and `proffer repair`: a journal's folder, without a gateway. */
export function addJournal(program: Command, shell: Shell, done: (code: ExitCode) => void): void {
  withFolder(program.command('replay').description('Replay a journal and print the resulting state'))
    .option('--until <seq>', 'stop after this seq, for the state at that time', seqOption)
    .option('--space <name>', 'only this space')
    .option('--json', 'the whole state as JSON')
    .action(async (options: ReplayOptions) =>
      done(await (await import('../actions/journal/replay.js')).replay(options, shell)),
    );

  withFolder(program.command('verify').description('Verify every record and hash chain of a journal'))
    .option('--json', 'print JSON')
    .action(async (options: DataOptions) =>
      done(await (await import('../actions/journal/verify.js')).verify(options, shell)),
    );

  withFolder(
    program.command('repair').description('Say what can be kept of a damaged journal, or keep only that'),
  )
    .option('--accept-loss', 'keep everything up to the damage, and move the rest aside')
    .option('--json', 'print JSON')
    .action(async (options: RepairOptions) =>
      done(await (await import('../actions/journal/repair.js')).repair(options, shell)),
    );
}
