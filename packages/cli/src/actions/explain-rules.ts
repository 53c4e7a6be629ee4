import { isJsonObject } from '@proffer/core/json';
import { type CallFacts, explainByRules } from '@proffer/steward';
import { parseObject } from '../arguments.js';
import { CommandFailure, usageFailure } from '../command-failure.js';
import { noSuchProposal } from '../connection/find-proposal.js';
import { describeRuledCall, namesOnly } from '../display/ruled-calls.js';
import { EXIT } from '../exit-code.js';
import { historyPlace, readHistory } from '../rules/history.js';
import type { HistoryOptions } from '../rules/history-options.js';
import { loadRules } from '../rules/load-rules.js';
import { printExplanation } from '../rules/print-explanation.js';
import { type DecisionNumber, recordedCalls } from '../rules/recorded-calls.js';
import { undecidedRules } from '../rules/unrecorded-arguments.js';
import type { Shell } from '../terminal/shell.js';

/** Options of `rules explain`, as they stand on the command line. */
export interface ExplainOptions extends HistoryOptions {
  readonly tool?: string;
  readonly args?: string;
  readonly participant?: string;
  readonly server?: string;
  readonly annotations?: string;
  readonly time?: number;
  readonly proposal?: string;
  readonly seq?: DecisionNumber;
}

/** Prints what rules decide about a call, and why each rule matches or not. */
export async function explainRules(file: string, options: ExplainOptions, shell: Shell): Promise<void> {
  if (options.seq !== undefined) {
    await explainRecorded(file, { ...options, seq: options.seq }, shell);
    return;
  }
  const explanation = explainByRules(await loadRules(file), await factsFor(options, shell));
  if (options.json === true) shell.print(JSON.stringify(explanation));
  else printExplanation(explanation, shell);
}

/** What rules say about each call that a guard decided about then; the file may be another now. */
async function explainRecorded(
  file: string,
  options: ExplainOptions & { readonly seq: DecisionNumber },
  shell: Shell,
): Promise<void> {
  if (options.tool !== undefined || options.proposal !== undefined) {
    throw usageFailure('Say which call: either --tool, or --proposal, or --seq.');
  }
  const rules = await loadRules(file);
  const given = options.args === undefined ? undefined : parseObject(options.args, '--args');
  for (const { number, from, call, facts } of await recordedCalls(options.seq, { ...options, file }, shell)) {
    const isKnown = given !== undefined || (namesOnly(call) ?? []).length === 0;
    const explanation = explainByRules(rules, given === undefined ? facts : { ...facts, arguments: given });
    const undecided: ReadonlySet<number> = isKnown ? new Set() : undecidedRules(rules, explanation);
    if (options.json === true) {
      const decision = undecided.size > 0 ? { decision: null, undecided: [...undecided] } : {};
      shell.print(JSON.stringify({ seq: number, recorded: call, ...explanation, ...decision }));
      continue;
    }
    const { who, what, detail } = describeRuledCall(from, call, shell.style);
    shell.print(`${shell.style.dim(number)} ${who} ${what} ${detail}`);
    printExplanation(explanation, shell, undecided);
    shell.print('');
  }
}

async function factsFor(options: ExplainOptions, shell: Shell): Promise<CallFacts> {
  const { tool, proposal, server } = options;
  if ((tool === undefined) === (proposal === undefined)) {
    throw usageFailure('Say which call: either --tool or --proposal, or --seq.', [
      `${shell.name} rules explain FILE --tool write_file --args '{"path":"/tmp/a"}'`,
      `${shell.name} rules explain FILE --proposal ID`,
    ]);
  }
  if (proposal !== undefined) {
    const past = await readHistory(options, shell);
    const exact = past.find(({ id }) => id === proposal);
    if (exact !== undefined) return exact.call;
    const found = past.filter(({ id }) => id.startsWith(proposal));
    const [only] = found;
    const next = [`${shell.name} inbox --all${historyPlace(options)}   # lists them`];
    if (found.length > 1)
      throw noSuchProposal(
        proposal,
        found.map(({ id }) => id),
        next,
      );
    if (only !== undefined) return only.call;
    const message = `There is no proposal ${JSON.stringify(proposal)} in the history that rules can say anything about.`;
    throw new CommandFailure({
      exit: EXIT.refused,
      code: 'unknown_proposal',
      message,
      details: { proposal },
      next,
    });
  }
  const annotations = options.annotations && parseObject(options.annotations, '--annotations');
  return {
    participant: options.participant ?? 'agent',
    ...toolAndServer(tool ?? '', server),
    arguments: options.args === undefined ? {} : parseObject(options.args, '--args'),
    ...(isJsonObject(annotations) ? { annotations } : {}),
    time: options.time ?? shell.now(),
  };
}

/** A tool as the inbox shows it has its server in front. */
function toolAndServer(tool: string, server: string | undefined): Pick<CallFacts, 'tool' | 'server'> {
  const slash = tool.indexOf('/');
  if (server !== undefined) return { tool, server };
  return slash <= 0 ? { tool } : { server: tool.slice(0, slash), tool: tool.slice(slash + 1) };
}
