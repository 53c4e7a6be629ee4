import type { Command } from 'commander';
import type { AcceptOptions, CounterFlags } from '../actions/counter.js';
import type { GrantFlags, RevokeOptions } from '../actions/grants.js';
import { withEndpoint, withGuards } from '../connection/endpoint-options.js';
import type { ExitCode } from '../exit-code.js';
import { collect, countOption, durationOption, EXACT } from '../option-values.js';
import type { Shell } from '../terminal/shell.js';

/**
 * `proffer counter` and `accept`: offer what you would approve instead; `grant` and `revoke`: trust someone for a
 * while.
 */
export function addCounterAndGrant(program: Command, shell: Shell, done: (code: ExitCode) => void): void {
  withGuards(
    program
      .command('counter')
      .argument('<id>', 'the proposal, or the beginning of its id')
      .description('Make a counter-offer with other arguments')
      .requiredOption('-r, --reason <reason>', 'why')
      .option('--set <path=value>', 'change an argument, such as path=/tmp/x; may be repeated', collect)
      .option('--add <path=value>', 'add an argument that the call does not have; may be repeated', collect)
      .option('--answers <counter>', 'the counter-offer that this one answers')
      .option('--exact', EXACT)
      .option('--json', 'print JSON'),
  ).action(async (text: string, options: CounterFlags) =>
    done(await (await import('../actions/counter.js')).counter(text, options, shell)),
  );

  withEndpoint(
    program
      .command('accept')
      .argument('<id>', 'your own proposal, or the beginning of its id')
      .description('Accept a counter-offer to your own proposal, and run exactly that')
      .option('--counter <id>', 'which counter-offer, if there are several')
      .option('-y, --yes', 'do not ask for confirmation on a terminal')
      .option('--exact', EXACT)
      .option('--no-wait', 'do not wait for the result')
      .option('--timeout <duration>', 'give up waiting after this time', durationOption)
      .option('--json', 'print JSON'),
  ).action(async (text: string, options: AcceptOptions) =>
    done(await (await import('../actions/counter.js')).accept(text, options, shell)),
  );

  withGuards(
    program
      .command('grant')
      .argument('[participant]', 'who may do it; without a name, lists the grants')
      .description('Grant someone capabilities that you have, for a while')
      .option('--tool <name>', 'a tool that they may call; may be repeated', collect)
      .option('--capability <pattern>', 'a capability, as in the configuration; may be repeated', collect)
      .option(
        '--for <duration>',
        'how long, such as 1h; without any bound, until they disconnect',
        durationOption,
      )
      .option('--uses <number>', 'how many calls it is good for', countOption)
      .option(
        '--session <id>',
        'only for this session of theirs, as `show` prints it; 12h unless --for or --uses is set',
      )
      .option('-r, --reason <reason>', 'why')
      .option('--json', 'print JSON'),
  ).action(async (to: string | undefined, options: GrantFlags) =>
    done(await (await import('../actions/grants.js')).grant(to, options, shell)),
  );

  withGuards(
    program
      .command('revoke')
      .argument('<grant>', 'the id that grant printed')
      .description('Revoke a grant')
      .option('-r, --reason <reason>', 'why')
      .option('--json', 'print JSON'),
  ).action(async (id: string, options: RevokeOptions) =>
    done(await (await import('../actions/grants.js')).revoke(id, options, shell)),
  );
}
