import { connect, type Participant } from '@proffer/client';
import { authorize, compileCapabilities, parseCapability } from '@proffer/core/capability';
import { defined } from '@proffer/core/json';
import { subjectOf } from '@proffer/core/kind';
import { count } from '@proffer/core/words';
import {
  describeDecision,
  describeRulesNews,
  followRules,
  publishRules,
  type RuleSet,
  type RulesNews,
  type StewardEvent,
  startSteward,
} from '@proffer/steward';
import { CommandFailure, EXIT } from '../../command-failure.js';
import type { EndpointOptions } from '../../command-options.js';
import { createConnection } from '../../connection/connection.js';
import { type Endpoint, resolveEndpoint, sameOptions } from '../../connection/endpoint.js';
import { connectionOver } from '../../connection/follow.js';
import { visibleName } from '../../display/operation.js';
import { loadRules } from '../../rules/load-rules.js';
import { printJson, type Shell, stopSignal } from '../../terminal/shell.js';
import { visible } from '../../terminal/visible.js';

/** Command-line options of `steward`. */
export interface StewardFlags extends EndpointOptions {
  readonly rules: string;
  readonly json?: boolean;
  /** Whether to hide the rules from the space. */
  readonly hideRules?: boolean;
}

/** Decides by rules until it is told to stop. */
export async function runSteward(options: StewardFlags, shell: Shell): Promise<void> {
  const { style } = shell;
  const rules = await loadRules(options.rules);
  const endpoint = resolveEndpoint(options, shell.env, 'steward');
  const stopped = stopSignal();
  await using participant = await enter(endpoint, shell);
  checkRights(participant, shell);
  const asJson = options.json === true;
  const onEvent = (event: StewardEvent): void => printStewardEvent(event, shell, asJson);
  const steward = startSteward({ participant, rules, now: shell.now, onEvent });
  const onProblem = (sentence: string): void => shell.tell(style.yellow(visible(sentence)));
  const live = followRules(rules, (news) => {
    if (news.type === 'changed') {
      steward.use(news.rules);
      show(news.rules);
    }
    printRulesNews(news, shell);
  });
  function show(current: RuleSet): void {
    if (options.hideRules === true) return;
    void publishRules(participant, current, { owner: 'steward', onProblem });
  }
  show(rules);
  shell.tell(
    `${style.bold(visible(participant.name))} decides in ${visible(endpoint.space)} by ${count(rules.rules.length, 'rule')} of ${visible(options.rules)}, version ${rules.version}.`,
    style.dim('Ctrl-C stops it; a changed file is reloaded.'),
  );
  const ended = await Promise.race([stopped, participant.closed]);
  live.close();
  steward.stop();
  if (ended === undefined) return;
  throw connectionOver(ended);
}

async function enter(endpoint: Endpoint, shell: Shell) {
  const { url, space, token, ca, assumed } = endpoint;
  // A lost connection is retried; a gateway that is unreachable at the start, or refuses us, is reported at
  // once.
  await createConnection(endpoint, shell.name).whoAmI();
  try {
    return await connect({ url, space, token, ...defined({ ca }) });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message = `The steward cannot join ${url}: ${why}`;
    const next = [
      ...(assumed
        ? ['--token …   # the token of a participant that may decide; in dev mode the name is enough']
        : []),
      `${shell.name} doctor${sameOptions(endpoint)}   # find out what is wrong`,
    ];
    throw new CommandFailure({ exit: EXIT.unreachable, code: 'unreachable', message, next }, error);
  }
}

const NEEDED = ['mcpx.status.proposal', 'mcpx.reject.proposal'];

/** Fails at once if every later decision would be refused. */
function checkRights({ name, welcome }: Participant, shell: Shell): void {
  const capabilities = welcome.you.capabilities.flatMap((source) => {
    const parsed = parseCapability(source);
    return parsed.ok ? [parsed.value] : [];
  });
  const compiled = compileCapabilities(capabilities);
  const missing = NEEDED.filter(
    (kind) => authorize(compiled, { from: name, kind, payload: {} }) !== undefined,
  );
  if (missing.length === 0) return;
  const message = `${name} may not decide in ${welcome.space}: it lacks ${missing.join(' and ')}.`;
  throw new CommandFailure({
    exit: EXIT.refused,
    code: 'capability_violation',
    message,
    next: [
      `${shell.name} steward --rules FILE   # in dev mode, as "steward"`,
      'Outside dev mode, give its participant these capabilities and mcp.request.* for what the rules may allow.',
    ],
  });
}

/** Reports whether a rules file was loaded. */
function printRulesNews(news: RulesNews, { style, tell }: Shell): void {
  const [first = '', ...more] = describeRulesNews(news).map(visible);
  const mark = news.type === 'invalid' ? style.red('✗') : style.green('✓');
  tell(`${mark} ${first}`, ...more);
}

/** One line per action of a steward: the proposal, the outcome, and why. */
function printStewardEvent(event: StewardEvent, shell: Shell, asJson: boolean): void {
  const { proposal, decision } = event;
  const { id, proposer, method, params } = proposal;
  const about = { proposal: id, proposer, method, ...defined({ params }), decision };
  if (event.type === 'amended') {
    if (asJson) return printJson({ type: event.type, by: event.by, ...about }, shell);
    const paint = decision.action === 'deny' ? shell.style.red : shell.style.dim;
    return shell.print(
      `${shell.style.bold(visible(id))}  ${visible(event.by)} changed it; the rules say ${paint(decision.action)}: ${visible(describeDecision(decision))}`,
    );
  }
  const { outcome } = event;
  const failure = event.error instanceof Error ? event.error.message : undefined;
  if (asJson) {
    const error = defined({ error: failure });
    return printJson({ type: event.type, outcome, ...error, ...about }, shell);
  }
  const { style } = shell;
  const paint = {
    fulfilled: style.green,
    rejected: style.red,
    left: style.yellow,
    late: style.dim,
    failed: style.red,
  };
  const subject = subjectOf(method, params);
  const name = visibleName({ method, ...defined({ subject }) });
  const why = failure ?? describeDecision(decision);
  shell.print(
    `${style.bold(visible(id))}  ${paint[outcome](outcome)}  ${name} for ${visible(proposer)}  ${style.dim(visible(why))}`,
  );
}
