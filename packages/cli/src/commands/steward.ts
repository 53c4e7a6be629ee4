import type { StewardFlags } from '../actions/rules/steward.js';
import type { AddCommands } from '../command-families.js';
import { withGuards } from '../command-options.js';

/** `proffer steward`: decides by rules, until it is told to stop. */
export const addSteward: AddCommands = (program, shell) => {
  withGuards(
    program
      .command('steward')
      .description('Decide proposals by rules, and leave the rest to people')
      .requiredOption('--rules <file>', 'the rules; reloaded when the file changes')
      .option('--hide-rules', 'do not show the rules to the space or in the console')
      .option('--json', 'one JSON object per line'),
    'its steward',
  ).action(
    async (options: StewardFlags) =>
      await (await import('../actions/rules/steward.js')).runSteward(options, shell),
  );
};
