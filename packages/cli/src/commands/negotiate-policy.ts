import { isJsonObject, type PolicyDescriptor, parseJson } from '@proffer/core';
import type { Command } from 'commander';
import { parseObject } from '../arguments.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { type NegotiatorOptions, negotiate, withNegotiator } from '../negotiation/negotiator.js';
import type { Shell } from '../terminal/shell.js';
import { formatTable, tableWidth } from '../terminal/table.js';
import { formatMoment } from '../terminal/time.js';
import { visible, visibleBlock } from '../terminal/visible.js';
import { contentOf } from './negotiate-messages.js';

/** Who manages policies in dev mode when nobody says. */
const MANAGER = 'reviewer';

/** `proffer negotiate policy register|list|show`: the rules that sessions may be started with. */
export function addPolicies(parent: Command, shell: Shell, done: (code: ExitCode) => void): void {
  const policy = parent.command('policy').description('The rules that sessions may be started with');

  withNegotiator(
    policy
      .command('register')
      .argument('<id>', 'its id; it keeps its rules for ever')
      .description('Register a policy')
      .requiredOption(
        '--rules <object>',
        'its rules as JSON; @FILE reads a file; what is left out is as in policy.default',
      )
      .option('--description <text>', 'what it is for'),
  )
    .addHelpText(
      'after',
      `
Example:
  ${shell.name} negotiate policy register policy.short \\
      --rules '{"counter_proposal":{"max_rounds":3}}'
  ${shell.name} negotiate policy show policy.default   # everything that rules may say`,
    )
    .action(
      async (
        id: string,
        options: NegotiatorOptions & { readonly rules: string; readonly description?: string },
      ) => {
        const rules = parseObject(contentOf(options.rules, '--rules').toString(), '--rules');
        const { description = '' } = options;
        await negotiate(options, { shell, role: MANAGER }, ({ client }) =>
          client.registerPolicy({ policyId: id, rules, description }),
        );
        if (options.json === true) shell.print(JSON.stringify({ policy_id: id }));
        else shell.print(`Registered ${shell.style.bold(visible(id))}.`);
        done(EXIT.done);
      },
    );

  withNegotiator(policy.command('list').description('List the policies that a session may name')).action(
    async (options: NegotiatorOptions) => {
      const policies = await negotiate(options, { shell, role: MANAGER }, ({ client }) =>
        client.listPolicies(),
      );
      if (options.json === true) shell.print(JSON.stringify({ policies }));
      else printPolicies(policies, shell);
      done(EXIT.done);
    },
  );

  withNegotiator(
    policy.command('show').argument('<id>', 'the policy').description('Show the complete rules of a policy'),
  ).action(async (id: string, options: NegotiatorOptions) => {
    const { style } = shell;
    await negotiate(options, { shell, role: MANAGER }, async ({ client }) => {
      const descriptor = await client.getPolicy(id);
      const rules = await client.getPolicyRules(id);
      if (options.json === true) shell.print(JSON.stringify({ ...descriptor, rules }));
      else {
        const about = descriptor.description === '' ? [] : [visible(descriptor.description)];
        shell.print(style.bold(visible(id)), ...about, ...visibleBlock(rules, '  '));
      }
    });
    done(EXIT.done);
  });
}

function printPolicies(policies: readonly PolicyDescriptor[], shell: Shell): void {
  const { style } = shell;
  const width = tableWidth(shell);
  const columns = [
    { title: 'POLICY', paint: style.bold },
    { title: 'REGISTERED' },
    { title: 'RULES ABOUT' },
    { title: 'DESCRIPTION', flexible: true },
  ];
  const rows = policies.map(({ policy_id, registered_at_unix_ms, rules, description }) => [
    visible(policy_id),
    registered_at_unix_ms === 0 ? 'built in' : formatMoment(registered_at_unix_ms, shell.now()),
    registered_at_unix_ms === 0 ? 'everything' : sections(rules),
    visible(description),
  ]);
  shell.print(formatTable(columns, rows, { width, style }));
}

/** What a policy says something about; the rest is as in `policy.default`. */
function sections(rules: string): string {
  const parsed = parseJson(rules);
  const names = parsed.ok && isJsonObject(parsed.value) ? Object.keys(parsed.value) : [];
  return names.length === 0 ? 'nothing' : names.map(visible).join(', ');
}
