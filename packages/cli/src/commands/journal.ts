import { InvalidArgumentError, Option } from 'commander';
import type { CompactFlags } from '../actions/journal/compact.js';
import type { CopyOptions } from '../actions/journal/copy.js';
import type { RepairOptions } from '../actions/journal/repair.js';
import type { ReplayFlags } from '../actions/journal/replay.js';
import type { VerifyFlags } from '../actions/journal/verify.js';
import type { AddCommands } from '../command-families.js';
import { CONFIG, DATA, durationOption, seqOption, withFolder } from '../command-options.js';

const DAY = 86_400_000;

/** `proffer replay`, `verify`, `repair`, `copy` and `compact`: a journal without a gateway. */
export const addJournal: AddCommands = (program, shell, done) => {
  withFolder(program.command('replay').description('Replay a journal and print the resulting state'))
    .option('--until <seq>', 'stop after this seq, for the state at that time', seqOption)
    .option('--space <name>', 'only this space')
    .option('--json', 'the whole state as JSON')
    .action(
      async (options: ReplayFlags) =>
        await (await import('../actions/journal/replay.js')).replay(options, shell),
    );

  withFolder(
    program
      .command('verify')
      .argument('[file]', 'an evidence file, instead of a journal')
      .description('Verify every record and hash chain of a journal, or an evidence file'),
  )
    .option('--checkpoint <file...>', 'compare the journal with checkpoints that were kept elsewhere')
    .option(
      '--log-key <key...>',
      'a key of the log or of a witness, or a file with keys, to check signatures with',
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
A journal with a signed log is also compared with the log's tree, and with the
last checkpoint and the keys that the configuration names. Whoever holds the
log's key and the journal can rewrite both: a checkpoint that was kept elsewhere
(${shell.name} checkpoint > FILE) shows it.

An evidence file (${shell.name} evidence) is checked without a journal or a
gateway. Keys that the file names are not trusted: give those that you have from
elsewhere as --log-key.`,
    )
    .action(async (file: string | undefined, options: VerifyFlags) =>
      done(
        file === undefined
          ? await (await import('../actions/journal/verify.js')).verify(options, shell)
          : await (await import('../actions/journal/verify-evidence.js')).verifyEvidence(
              file,
              options,
              shell,
            ),
      ),
    );

  withFolder(
    program.command('repair').description('Show what can be recovered from a damaged journal, or recover it'),
  )
    .option('--accept-loss', 'keep everything up to the damage, and move the rest aside')
    .option('--json', 'print JSON')
    .action(async (options: RepairOptions) =>
      done(await (await import('../actions/journal/repair.js')).repair(options, shell)),
    );

  program
    .command('copy')
    .argument('<from>', 'a folder, nats://HOST:PORT/STREAM, or a configuration that names either')
    .argument('<to>', 'where to copy it, written the same way; must not contain a journal yet')
    .description('Copy a journal between folders and NATS, and verify the copy')
    .option('--replicas <count>', 'on how many NATS servers each record is kept', replicasOption, 3)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Every record keeps its seq, so clients resume where they were. A copy into a
folder is a backup: it can be made while gateways are running, and contains
everything that was acknowledged before it began. To move a folder to NATS,
stop its gateway first.`,
    )
    .action(
      async (from: string, to: string, options: CopyOptions) =>
        await (await import('../actions/journal/copy.js')).copy(from, to, options, shell),
    );

  program
    .command('compact')
    .description('Remove proposals and sessions that ended long ago from a journal')
    .addOption(
      new Option('--older-than <duration>', 'how long ago they ended, such as 90d')
        .argParser(ageOption)
        .default(30 * DAY, '30d'),
    )
    .option('--data <folder>', DATA)
    .addOption(new Option('-c, --config <file>', CONFIG).conflicts('data'))
    .option('--dry-run', 'only show what would be removed')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Proposals that are pending, running or have an unknown outcome are kept, and so
are open and suspended sessions and all other messages. The ids of removed
proposals and sessions cannot be used again. With journal.retention, a running
gateway does this by itself.`,
    )
    .action(
      async (options: CompactFlags) =>
        await (await import('../actions/journal/compact.js')).compact(options, shell),
    );
};

function replicasOption(text: string): number {
  if (/^[1-5]$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number from 1 to 5.');
}

/** A duration, or zero, which `compact` rejects with an explanation. */
function ageOption(text: string): number {
  return /^0+(?:ms|s|m|min|h|d)$/.test(text) ? 0 : durationOption(text);
}
