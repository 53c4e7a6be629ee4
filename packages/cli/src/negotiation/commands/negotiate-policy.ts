import type { Command } from 'commander';
import type { ExitCode } from '../../command-failure.js';
import type { Shell } from '../../terminal/shell.js';
import type { RegisterOptions, ShowPolicyOptions } from '../actions/negotiate-policy.js';
import { type NegotiatorOptions, withNegotiator } from '../negotiator-options.js';

/** `proffer negotiate policy register|list|show`: the rules that sessions may be started with. */
export function addPolicies(parent: Command, shell: Shell, done: (code: ExitCode) => void): void {
  const policy = parent.command('policy').description('Manage the policies that sessions can use');

  withNegotiator(
    policy
      .command('register')
      .argument('<id>', 'its id; its rules never change')
      .description('Register a policy')
      .requiredOption(
        '--rules <object>',
        'its rules as JSON, or @FILE; rules that you leave out are those of policy.default',
      )
      .option('--description <text>', 'what it is for')
      .option('--mode <name>', 'the mode it is for, such as decision, or * (default proposal)'),
  )
    .addHelpText(
      'after',
      `
Example:
  ${shell.name} negotiate policy register policy.short \\
      --rules '{"counter_proposal":{"max_rounds":3}}'
  ${shell.name} negotiate policy show policy.default --mode proposal   # every rule`,
    )
    .action(async (id: string, options: RegisterOptions) =>
      done(await (await import('../actions/negotiate-policy.js')).register(id, options, shell)),
    );

  withNegotiator(policy.command('list').description('List the registered policies')).action(
    async (options: NegotiatorOptions) =>
      done(await (await import('../actions/negotiate-policy.js')).listPolicies(options, shell)),
  );

  withNegotiator(
    policy
      .command('show')
      .argument('<id>', 'the policy')
      .description('Show the complete rules of a policy')
      .option('--mode <name>', 'its rules in this mode (default: in every mode that has it)'),
  ).action(async (id: string, options: ShowPolicyOptions) =>
    done(await (await import('../actions/negotiate-policy.js')).showPolicy(id, options, shell)),
  );
}
