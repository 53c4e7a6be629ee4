import { defined, isJsonObject, parseJson } from '@proffer/core/json';
import { type PolicyDescriptor, type PolicyRules, PROPOSAL_MODE } from '@proffer/core/negotiation';
import { parseObject } from '../../arguments.js';
import { CommandFailure, EXIT, type ExitCode } from '../../command-failure.js';
import { contentOf } from '../../file-content.js';
import { printJson, type Shell } from '../../terminal/shell.js';
import { formatTable, tableWidth } from '../../terminal/table.js';
import { formatMoment, visible, visibleBlock } from '../../terminal/visible.js';
import { modeNamed, shortMode } from '../mode-names.js';
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
  const { description = '' } = options;
  const mode = modeNamed(options.mode ?? PROPOSAL_MODE);
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

/** Command-line options of `negotiate policy show`. */
export interface ShowPolicyOptions extends NegotiatorOptions {
  readonly mode?: string;
}

/** A policy with all its rules, including those that it leaves open. */
type CompletePolicy = Omit<PolicyDescriptor, 'rules'> & { readonly rules: PolicyRules };

/** Prints the complete rules of a policy; of a built-in one that several modes have, those in each. */
export async function showPolicy(id: string, options: ShowPolicyOptions, shell: Shell): Promise<ExitCode> {
  const mode = options.mode === undefined ? undefined : modeNamed(options.mode);
  const found = await negotiate(options, { shell, role: MANAGER }, async ({ client }) => {
    const named = (await client.listPolicies(defined({ mode }))).filter(({ policy_id }) => policy_id === id);
    // The gateway says best that there is none.
    const policies = named.length === 0 ? [await client.getPolicy(id)] : named;
    if (named.length === 0 && mode !== undefined) throw forOtherMode(id, mode, policies);
    const found: CompletePolicy[] = [];
    for (const descriptor of policies) {
      const of = mode ?? descriptor.mode;
      found.push({ ...descriptor, rules: await client.getPolicyRules(id, of === '*' ? {} : { mode: of }) });
    }
    return found;
  });
  const [first] = found;
  if (options.json === true) {
    printJson(found.length === 1 && first !== undefined ? first : { policies: found }, shell);
    return EXIT.done;
  }
  for (const policy of found) printPolicy(policy, shell);
  if (found.length > 1) {
    const one = `${shell.name} negotiate policy show ${id} --mode ${shortMode(first?.mode ?? '')}`;
    shell.print(shell.style.dim(`Each mode has its own ${id}; to see one:  ${visible(one)}`));
  }
  return EXIT.done;
}

function printPolicy({ policy_id, mode, description, rules }: CompletePolicy, { style, print }: Shell): void {
  print(
    `${style.bold(visible(policy_id))}  ${style.dim(`for ${mode === '*' ? 'every mode' : visible(shortMode(mode))}`)}`,
    ...(description === '' ? [] : [visible(description)]),
    ...visibleBlock(rules, '  '),
  );
}

function forOtherMode(id: string, mode: string, found: readonly PolicyDescriptor[]): CommandFailure {
  const modes = found.map((policy) => shortMode(policy.mode)).join(', ');
  return new CommandFailure({
    exit: EXIT.refused,
    code: 'UNKNOWN_POLICY_VERSION',
    message: `${JSON.stringify(id)} is a policy for ${modes}, not for ${shortMode(mode)}.`,
    details: {},
    next: [],
  });
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
    ...(isOfSeveral ? [visible(shortMode(mode))] : []),
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
