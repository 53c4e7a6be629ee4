import { isJsonObject, parseJson } from '@proffer/core/json';
import { type PolicyDescriptor, PROPOSAL_MODE } from '@proffer/core/negotiation';
import { parseObject } from '../../arguments.js';
import { EXIT, type ExitCode } from '../../command-failure.js';
import { contentOf } from '../../file-content.js';
import { printJson, type Shell } from '../../terminal/shell.js';
import { formatTable, tableWidth } from '../../terminal/table.js';
import { formatMoment, visible, visibleBlock } from '../../terminal/visible.js';
import { negotiate } from '../negotiator.js';
import type { NegotiatorOptions } from '../negotiator-options.js';

/** Who manages policies in dev mode by default. */
const MANAGER = 'reviewer';

/** Command-line options of `negotiate policy register`. */
export interface RegisterOptions extends NegotiatorOptions {
  readonly rules: string;
  readonly description?: string;
  readonly mode?: string;
}

/** Registers a policy. */
export async function register(id: string, options: RegisterOptions, shell: Shell): Promise<ExitCode> {
  const rules = parseObject(contentOf(options.rules, '--rules').toString(), '--rules');
  const { description = '', mode = PROPOSAL_MODE } = options;
  await negotiate(options, { shell, role: MANAGER }, ({ client }) =>
    client.registerPolicy({ policyId: id, rules, description, mode }),
  );
  if (options.json === true) printJson({ policy_id: id }, shell);
  else shell.print(`Registered ${shell.style.bold(visible(id))}.`);
  return EXIT.done;
}

/** Prints the policies that a session may name. */
export async function listPolicies(options: NegotiatorOptions, shell: Shell): Promise<ExitCode> {
  const policies = await negotiate(options, { shell, role: MANAGER }, ({ client }) => client.listPolicies());
  if (options.json === true) printJson({ policies }, shell);
  else printPolicies(policies, shell);
  return EXIT.done;
}

/** Prints the complete rules of a policy. */
export async function showPolicy(id: string, options: NegotiatorOptions, shell: Shell): Promise<ExitCode> {
  const { style } = shell;
  await negotiate(options, { shell, role: MANAGER }, async ({ client }) => {
    const descriptor = await client.getPolicy(id);
    const rules = await client.getPolicyRules(id);
    if (options.json === true) printJson({ ...descriptor, rules }, shell);
    else {
      const about = descriptor.description === '' ? [] : [visible(descriptor.description)];
      shell.print(style.bold(visible(id)), ...about, ...visibleBlock(rules, '  '));
    }
  });
  return EXIT.done;
}

function printPolicies(policies: readonly PolicyDescriptor[], shell: Shell): void {
  const { style } = shell;
  const width = tableWidth(shell);
  const isOfSeveral = new Set(policies.map(({ mode }) => mode)).size > 1;
  const columns = [
    { title: 'POLICY', paint: style.bold },
    ...(isOfSeveral ? [{ title: 'MODE' }] : []),
    { title: 'REGISTERED' },
    { title: 'RULES ABOUT' },
    { title: 'DESCRIPTION', flexible: true },
  ];
  const rows = policies.map(({ policy_id, mode, registered_at_unix_ms, rules, description }) => [
    visible(policy_id),
    ...(isOfSeveral ? [visible(mode)] : []),
    registered_at_unix_ms === 0 ? 'built in' : formatMoment(registered_at_unix_ms, shell.now()),
    registered_at_unix_ms === 0 ? 'everything' : sections(rules),
    visible(description),
  ]);
  shell.print(formatTable(columns, rows, { width, style }));
}

/** The sections that a policy sets; the rest is as in `policy.default`. */
function sections(rules: string): string {
  const parsed = parseJson(rules);
  const names = parsed.ok && isJsonObject(parsed.value) ? Object.keys(parsed.value) : [];
  return names.length === 0 ? 'nothing' : names.map(visible).join(', ');
}
