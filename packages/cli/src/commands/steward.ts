import type { Command } from 'commander';
import type { StewardFlags } from '../actions/rules/steward.js';
import { withGuards } from '../connection/endpoint-options.js';
import type { ExitCode } from '../exit-code.js';
import type { Shell } from '../terminal/shell.js';

/** `proffer steward`: decides by rules, until it is told to stop. */
export function addSteward(program: Command, shell: Shell, done: (code: ExitCode) => void): void {
  withGuards(
    program
      .command('steward')
      .description('Decide proposals by rules, and leave the rest to people')
      .requiredOption('--rules <file>', 'the rules; reloaded when the file changes')
      .option('--hide-rules', 'do not show the rules to the space, nor in the console')
      .option('--json', 'one JSON object per line'),
    'its steward',
  ).action(async (options: StewardFlags) =>
    done(await (await import('../actions/rules/steward.js')).runSteward(options, shell)),
  );
}
