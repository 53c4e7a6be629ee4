import type { Command } from 'commander';
import type { DelegateFlags } from '../actions/delegate.js';
import { withEndpoint } from '../connection/endpoint-options.js';
import type { ExitCode } from '../exit-code.js';
import { durationOption, EXACT } from '../option-values.js';
import type { Shell } from '../terminal/shell.js';

/** `proffer delegate NAME`: delegates your part in reviews for a while (O-34). */
export function addDelegate(program: Command, shell: Shell, done: (code: ExitCode) => void): void {
  withEndpoint(
    program
      .command('delegate')
      .argument(
        '[name]',
        'who may approve and reject in your place; without a name, lists who decides for whom',
      )
      .description('Let someone review in your place for a while')
      .option('--for <duration>', 'for how long, such as 8h', durationOption)
      .option('--proposal <id>', 'for this proposal only, or the beginning of its id')
      .option('--revoke', 'end the delegation')
      .option('--exact', EXACT)
      .option('--json', 'print JSON'),
  )
    .addHelpText(
      'after',
      `
Examples:
  ${shell.name} delegate bob --for 8h
  ${shell.name} delegate bob --for 1h --proposal p-k3f9x-2mq7c
  ${shell.name} delegate --revoke`,
    )
    .action(async (name: string | undefined, options: DelegateFlags) =>
      done(await (await import('../actions/delegate.js')).delegate(name, options, shell)),
    );
}
