import { Option } from 'commander';
import type { ExplainPolicyOptions, TestPolicyOptions } from '../actions/rules/policy.js';
import type { AddCommands } from '../command-families.js';
import { CONFIG, withHistory } from '../command-options.js';

/** `proffer policy`: explain and test the review policy of a configuration. */
export const addPolicy: AddCommands = (program, shell, done) => {
  const policy = program.command('policy').description('Explain and test the review policy of a space');

  policy
    .command('explain')
    .argument('[call]', 'a tool, or the call as JSON, such as {"name":"pay","arguments":{"amount":5}}')
    .description('Show which entry of the policy applies to a call, and what it requires')
    .option('--tool <name>', 'the tool that is called, instead of CALL')
    .option('--args <json>', 'its arguments, a JSON object')
    .addOption(new Option('-c, --config <file>', CONFIG))
    .option('--space <name>', 'the space', 'main')
    .option('--as <proposer>', 'who proposes it', 'agent')
    .option('--json', 'print JSON')
    .action(
      async (call: string | undefined, options: ExplainPolicyOptions) =>
        await (await import('../actions/rules/policy.js')).explainPolicy(call, options, shell),
    );

  withHistory(
    policy
      .command('test')
      .description(
        'Show calls that ran but that the policy would have stopped; exits with 1 if there are any',
      )
      .addOption(new Option('-c, --config <file>', CONFIG)),
  ).action(async (options: TestPolicyOptions) =>
    done(await (await import('../actions/rules/policy.js')).testPolicy(options, shell)),
  );
};
