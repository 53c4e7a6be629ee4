import type { LogOptions } from '../actions/journal/log.js';
import type { AddCommands } from '../command-families.js';
import { seqOption, withGuards } from '../command-options.js';

/** `proffer log`: all messages of a space, in the order they were accepted. */
export const addLog: AddCommands = (program, shell) => {
  withGuards(
    program
      .command('log')
      .description('List everything that happened in a space, in order')
      .option('-f, --follow', 'keep listing as messages arrive')
      .option('--after <seq>', 'only messages after this seq', seqOption, 0)
      .option('--from <name>', 'only messages from this participant')
      .option('--kind <glob>', 'only messages of this kind, such as mcp.proposal.* or mcpx.*')
      .option('--data <folder>', "read a journal's folder instead of asking a gateway")
      .option('--json', 'one JSON object per line'),
  ).action(
    async (options: LogOptions) => await (await import('../actions/journal/log.js')).log(options, shell),
  );
};
