import { type Command, Option } from 'commander';
import type { CompactFlags } from '../actions/journal/compact.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { CONFIG, DATA } from '../journal/folder-options.js';
import { durationOption } from '../option-values.js';
import type { Shell } from '../terminal/shell.js';

const DAY = 86_400_000;

/** `proffer compact`: removes what ended long ago from a journal that no gateway has open. */
export function addCompact(program: Command, shell: Shell, done: (code: ExitCode) => void): void {
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
Proposals that are pending, running or of unknown outcome are kept, and so are
open and suspended sessions and all other messages. Removed ids stay taken. A
running gateway does this by itself with journal.retention.`,
    )
    .action(async (options: CompactFlags) => {
      await (await import('../actions/journal/compact.js')).compact(options, shell);
      done(EXIT.done);
    });
}

/** A duration, or zero, which `compact` rejects with an explanation. */
function ageOption(text: string): number {
  return /^0+(?:ms|s|m|min|h|d)$/.test(text) ? 0 : durationOption(text);
}
