import { existsSync } from 'node:fs';
import { type JsonObject, objectOf } from '@proffer/core/json';
import {
  type AgentLimits,
  demandsSignature,
  entryFor,
  judgeByPolicy,
  type PastJudgement,
  type Proposal,
  type ReviewEntry,
  readProposalView,
} from '@proffer/core/operations';
import { anyOf, count } from '@proffer/core/words';
import type { GatewayConfig } from '@proffer/gateway/config';
import { parseObject } from '../../arguments.js';
import { EXIT, type ExitCode, usageFailure } from '../../command-failure.js';
import type { HistoryOptions } from '../../command-options.js';
import { connect } from '../../connection/connect.js';
import { resolveEndpoint } from '../../connection/endpoint.js';
import { visibleName } from '../../display/operation.js';
import { journalPlace } from '../../journal/place.js';
import { readProposals } from '../../journal/read-proposals.js';
import type { ProposalView } from '../../proposals/proposal-view.js';
import { historyName } from '../../rules/history.js';
import { printJson, type Shell, type Style } from '../../terminal/shell.js';
import { formatSpan, visible } from '../../terminal/visible.js';
import { CONFIG_FILE, configure } from '../../up/configure.js';

/** Command-line options of `policy explain`. */
export interface ExplainPolicyOptions {
  readonly tool?: string;
  readonly args?: string;
  readonly config?: string;
  readonly space: string;
  readonly as: string;
  readonly json?: boolean;
}

/** Command-line options of `policy test`. */
export interface TestPolicyOptions extends HistoryOptions {
  readonly config?: string;
}

/** Prints which policy entry matches a call and what it requires, or that none matches. */
export async function explainPolicy(
  call: string | undefined,
  options: ExplainPolicyOptions,
  shell: Shell,
): Promise<void> {
  const { space, as } = options;
  const { method, params } = operationIn(call, options, shell);
  const config = configOf(options, shell);
  const settings = settingsOf(config, space);
  const { review: policy = [] } = settings;
  const proposer = { name: as, roles: config.participants.get(as)?.roles };
  const entry = entryFor(policy, { method, params, proposer });
  if (options.json === true) return printJson({ space, policy: policy.length, entry: entry ?? null }, shell);
  const isSigned = demandsSignature(entry, settings);
  if (entry !== undefined) return shell.print(...describeEntry(entry, isSigned, shell.style));
  const why =
    policy.length === 0
      ? `${visible(space)} has no review policy.`
      : `No entry in the policy of ${visible(space)} matches this call by ${visible(as)}.`;
  shell.print(why, `One${isSigned ? ' signed' : ''} approval by anyone who may make the call is enough.`);
}

/** Prints what ran that a policy would have stopped; exits with 1 if anything did. */
export async function testPolicy(options: TestPolicyOptions, shell: Shell): Promise<ExitCode> {
  const { space } = resolveEndpoint(options, shell.env, 'reviewer');
  const config = configOf(options, shell);
  const { review: policy = [] } = settingsOf(config, space);
  const counts = { uncovered: 0, same: 0, unapproved: 0, vetoed: 0, unknown: 0 };
  const different: { readonly proposal: Proposal; readonly judged: PastJudgement }[] = [];
  for await (const view of pastProposals(options, space, shell)) {
    const proposal = readProposalView(view);
    const judged = judgeByPolicy(proposal, policy, (name) => config.participants.get(name) ?? {});
    counts[judged.verdict]++;
    if (judged.verdict === 'unapproved' || judged.verdict === 'vetoed') different.push({ proposal, judged });
  }
  const history = await historyName({ ...options, space }, shell);
  if (options.json === true) {
    const found = different.map(({ proposal, judged }) => ({ proposal: proposal.id, ...judged }));
    printJson({ history, counts, different: found }, shell);
  } else {
    shell.print(
      `The policy applied to the history of ${visible(history)}:`,
      `${number(counts.same)}would have ended the same way`,
      `${number(different.length)}ran, but would not have`,
      `${number(counts.uncovered)}matched no entry`,
      `${number(counts.unknown)}were changed before they ran, so they are not judged`,
    );
    for (const { proposal, judged } of different) shell.print(describeDifference(proposal, judged, shell));
  }
  return different.length === 0 ? EXIT.done : EXIT.refused;
}

function number(value: number): string {
  return `  ${String(value).padStart(6)}  `;
}

function describeDifference(proposal: Proposal, judged: PastJudgement, { style }: Shell): string {
  const what = `${style.bold(visible(proposal.id))}  ${visibleName(proposal)}`;
  if (judged.verdict === 'vetoed')
    return `${what}  ${visible(judged.entry)}: ${visible(judged.by)} rejected it`;
  if (judged.verdict !== 'unapproved') return what;
  return `${what}  ${visible(judged.entry)}: ${judged.given} of ${judged.needed} approvals`;
}

async function* pastProposals(
  { data, ...options }: TestPolicyOptions,
  space: string,
  shell: Shell,
): AsyncGenerator<ProposalView> {
  if (data !== undefined) {
    yield* await readProposals(await journalPlace({ data }, shell), space);
    return;
  }
  for await (const page of connect(options, shell, 'reviewer').proposals()) yield* page;
}

function configOf({ config }: { readonly config?: string }, shell: Shell): GatewayConfig {
  if (config !== undefined) return configure({ config }, shell);
  if (existsSync(CONFIG_FILE)) return configure({}, shell);
  throw usageFailure(`There is no ${CONFIG_FILE} here.`, [
    '--config FILE   # the configuration that has the policy',
  ]);
}

function settingsOf({ spaces }: GatewayConfig, space: string) {
  const found = spaces.get(space);
  if (found !== undefined) return found;
  const names = [...spaces.keys()].join(', ');
  throw usageFailure(`The configuration has no space ${JSON.stringify(space)}.`, [
    `--space NAME   # one of: ${names}`,
  ]);
}

/** The call in question: a tool, params as in MCP, or a request with `method` and `params`. */
function operationIn(
  call: string | undefined,
  { tool, args }: ExplainPolicyOptions,
  { name }: Shell,
): { readonly method: string; readonly params: JsonObject } {
  if ((call === undefined) === (tool === undefined)) {
    throw usageFailure('Say which call: CALL or --tool, and not both.', [
      `${name} policy explain pay --args '{"amount":5}'`,
      `${name} policy explain '{"name":"pay","arguments":{"amount":5}}'`,
    ]);
  }
  const isJson = call?.trimStart().startsWith('{') === true;
  const given: JsonObject = isJson ? parseObject(call ?? '', 'CALL') : { name: call ?? tool ?? '' };
  const { method, params } = given;
  if (typeof method === 'string') return { method, params: objectOf(params) };
  const input = args === undefined ? {} : { arguments: parseObject(args, '--args') };
  if (typeof given.name !== 'string')
    throw usageFailure('CALL names no tool: put the name of the tool into "name".');
  return { method: 'tools/call', params: { arguments: {}, ...given, ...input } };
}

/** What an entry of a review policy requires, in words (O-28), and that the approvals are signed (O-49). */
function describeEntry(entry: ReviewEntry, isSigned: boolean, style: Style): readonly string[] {
  const { name, approvals, from, veto, escalate, notRequester, agents } = entry;
  const whose = from.length === 0 ? 'anyone who may make the call' : peopleIn(from);
  const direct = approvals === 1 && !isSigned ? 'They may also make' : 'Nobody may make';
  return [
    `${style.bold(visible(name))} applies to this call.`,
    `  This call needs ${count(approvals, isSigned ? 'signed approval' : 'approval')} from ${whose}, but never from its proposer.`,
    ...(notRequester === true
      ? ['  An approval by the person the proposer works for does not count either.']
      : []),
    ...(agents === undefined ? [] : [describeAgents(agents)]),
    ...(veto ? ['  One rejection by any of them ends the call.'] : []),
    ...escalate.map(({ after, to }) =>
      to.length === 0
        ? `  After ${formatSpan(after)} without a decision, it is declined.`
        : `  After ${formatSpan(after)} without a decision, ${peopleIn(to)} may also approve it.`,
    ),
    `  ${direct} the call without a proposal.`,
  ];
}

function describeAgents({ from, perHour, within }: AgentLimits): string {
  const ranges = Object.entries(within).map(([name, { min, max, oneOf }]) =>
    [
      visible(name),
      ...(min === undefined ? [] : [`from ${min}`]),
      ...(max === undefined ? [] : [`up to ${max}`]),
      ...(oneOf === undefined
        ? []
        : [`one of ${oneOf.map((value) => visible(JSON.stringify(value))).join(', ')}`]),
    ].join(' '),
  );
  const only = ranges.length === 0 ? '' : `, with ${ranges.join(' and ')}`;
  return `  ${peopleIn(from)} may approve ${perHour} of them an hour without anyone else${only}.`;
}

function peopleIn(list: readonly string[]): string {
  return anyOf(
    list.map((name) => (name.startsWith('role:') ? `anyone in ${visible(name.slice(5))}` : visible(name))),
  );
}
