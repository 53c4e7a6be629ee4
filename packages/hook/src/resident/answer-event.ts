import { isJsonObject, type JsonObject, makeVisible, parseJson, sameJson } from '@proffer/core/json';
import { describeRule, type RuleDecision } from '@proffer/steward';
import {
  AGENTS,
  type AgentVerdict,
  type CallReport,
  effectOf,
  findAgent,
  type HookAgent,
  type HookCall,
  type Unreadable,
} from '../agents/index.js';
import {
  BUILT_IN,
  decideCall,
  type Grounds,
  type HookDecision,
  type WatchedDecision,
  watchCall,
} from '../decide/index.js';
import {
  type HookOutput,
  isReport,
  type LaunchHeader,
  NO_OPINION,
  TRIED_EVENT,
  undecidedAnswer,
} from '../launch/index.js';
import type { AskedAbout, AskOutcome, AskResult } from './ask-people.js';
import type { IsGuarded } from './guarded-servers.js';
import { SettledCalls } from './settled-calls.js';
import type { WithServer } from './with-server.js';
import { lastEntries, withVersion } from './with-version.js';

/** How an event arrived. */
type Asking = Omit<LaunchHeader, 'length'> & {
  /** Aborted when the caller is gone. */
  readonly signal: AbortSignal;
};

/** An answer, and a callback for whether it arrived. */
export interface EventAnswer extends HookOutput {
  readonly delivered: (isDelivered: boolean) => void;
}

export interface AnswerEventOptions {
  readonly withServer: WithServer;
  readonly isGuarded: IsGuarded;
  /** What decisions depend on at this moment. */
  readonly grounds: () => Grounds;
  /** Asks people about a call. Never fails. */
  readonly ask: (call: HookCall, about: AskedAbout) => Promise<AskResult>;
  /** Passes on how a call ended, as its agent reports it. */
  readonly report: (call: HookCall, report: CallReport) => void;
  /** Whether calls are only watched now (O-50). */
  readonly isWatching: () => boolean;
  /** Records what would have become of a call. */
  readonly observe: (call: HookCall, watched: WatchedDecision) => void;
  /** Records what rules decided by themselves. */
  readonly note: (call: HookCall, decision: RuleDecision) => void;
}

/** Answers an event of an agent: by the built-in protections, by rules, or by asking people. */
export type AnswerEvent = (bytes: Buffer, asking: Asking) => Promise<EventAnswer>;

const told = { lastEntries };
const TRIED: CallReport = { type: 'not run', why: 'It was a test.' };

export function createAnswerEvent(options: AnswerEventOptions): AnswerEvent {
  const settled = new SettledCalls();
  return async (bytes, asking) => {
    const { agent: name, event, otherwise } = asking;
    const agent = findAgent(name);
    const isWatching = options.isWatching();
    const undecided = (reason: string, tool = '', called = event): EventAnswer =>
      final(
        isWatching ? NO_OPINION : undecidedAnswer({ agent: name, event: called, tool, reason, otherwise }),
      );
    if (agent === undefined) return undecided(`Proffer does not know the agent ${makeVisible(name)}.`);
    const parsed = objectIn(bytes);
    const found = 'unreadable' in parsed ? parsed : agent.readEvent(parsed.value, event);
    if (isReport(event)) {
      // The agent goes on whatever becomes of its report.
      if (!('unreadable' in found) && 'value' in parsed)
        options.report(found, event === TRIED_EVENT ? TRIED : agent.readReport(parsed.value, event, told));
      return final(NO_OPINION);
    }
    if ('unreadable' in found) return undecided(`Proffer cannot read this call: ${found.unreadable}`);
    try {
      const read = options.withServer(found);
      if (isWatching) {
        observe(read, { ...options, settled });
        return final(NO_OPINION);
      }
      if (read.effect.type === 'question') return final(answerQuestion(agent, read, options));
      const ask: AnswerEventOptions['ask'] = (call, about) =>
        options.ask(withVersion(call, bytes, asking.env), about);
      const { outcome, delivered } = await decide(read, asking, { ...options, ask, settled });
      if (outcome.type === 'undecided')
        return { ...undecided(outcome.reason, read.tool, read.event), delivered };
      if (outcome.type === 'left to agent') return { ...NO_OPINION, delivered };
      return { ...agent.answer(read, verdictOf(outcome, read)), delivered };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return undecided(`Internal error in Proffer: ${why}`, found.tool, found.event);
    }
  };
}

/** Records a call that is only watched; once, although some agents ask twice. */
function observe(
  call: HookCall,
  { grounds, observe: record, settled }: AnswerEventOptions & { readonly settled: SettledCalls },
): void {
  if (call.effect.type === 'question') return;
  const now = grounds();
  if (call.stage === 'permission' && settled.take(call, now.time) !== undefined) return;
  if (call.stage === 'tool') settled.put(call, { type: 'left to agent' }, now.time);
  record(call, watchCall(call, now));
}

/** A question to the agent's own user is for that user alone; rules may still deny it. */
function answerQuestion(agent: HookAgent, call: HookCall, { grounds, note }: AnswerEventOptions): HookOutput {
  const decision = decideCall(call, grounds());
  if (decision.action !== 'deny') return NO_OPINION;
  note(call, decision);
  return agent.answer(call, { type: 'deny', reason: whyDenied(decision) });
}

function final(answer: HookOutput): EventAnswer {
  return { ...answer, delivered: () => {} };
}

function objectIn(bytes: Buffer): { readonly value: JsonObject } | Unreadable {
  const parsed = parseJson(bytes.toString('utf8'));
  if (!parsed.ok) return { unreadable: parsed.refusal.message };
  return isJsonObject(parsed.value) ? { value: parsed.value } : { unreadable: 'It is not a JSON object.' };
}

async function decide(
  call: HookCall,
  { wait, signal, parent }: Asking,
  { grounds, ask, note, isGuarded, settled }: AnswerEventOptions & { readonly settled: SettledCalls },
): Promise<AskResult> {
  const decision = decideCall(call, grounds());
  if (decision.action !== 'ask') {
    note(call, decision);
    return decided(byRules(call, decision));
  }
  // Unless a rule is about the call, a guard in front of the server asks: it knows the server, and would ask again.
  const server = call.mcp?.server ?? '';
  const isOpen = decision.rule === undefined && decision.isProtected !== true;
  if (isOpen && isGuarded(server, parent))
    return decided({ type: 'approved', by: `the guard in front of ${server}`, arguments: call.arguments });
  const known = call.stage === 'permission' ? settled.take(call, grounds().time) : undefined;
  // The earlier answer was about the arguments it asks about now; their description may differ.
  if (known !== undefined)
    return decided(known.type === 'approved' ? { ...known, arguments: call.arguments } : known);
  const grants = decision.isProtected !== true;
  const asked = await ask(call, { wait, signal, why: decision.reason, grants });
  const outcome = checked(call, asked.outcome, grounds());
  if (call.stage === 'tool') settled.put(call, outcome, grounds().time);
  if (outcome.type !== 'rejected' || asked.outcome.type !== 'approved') return { ...asked, outcome };
  return { outcome, delivered: (isDelivered) => asked.delivered(isDelivered, outcome.reason) };
}

function decided(outcome: AskOutcome): AskResult {
  return { outcome, delivered: () => {} };
}

function byRules({ arguments: given }: HookCall, decision: HookDecision): AskOutcome {
  if (decision.isAgents === true) return { type: 'left to agent' };
  if (decision.action === 'allow') return { type: 'approved', by: 'rules', arguments: given };
  return { type: 'rejected', reason: whyDenied(decision) };
}

/** A reviewer's change is checked against the rules again, and against what the agent supports. */
function checked(call: HookCall, outcome: AskOutcome, grounds: Grounds): AskOutcome {
  if (outcome.type !== 'approved' || sameJson(outcome.arguments, call.arguments)) return outcome;
  if (!AGENTS[call.agent].canChange(call, outcome.arguments)) {
    const wanted = JSON.stringify(outcome.arguments);
    const reason = `${outcome.by} approved this call with changes that cannot be made here. Call the tool again with exactly these arguments: ${wanted}`;
    return { type: 'rejected', reason };
  }
  const asked = { ...call, arguments: outcome.arguments };
  const changed = { ...asked, effect: call.mcp === undefined ? effectOf(asked) : call.effect };
  const decision = decideCall(changed, grounds);
  if (decision.action !== 'deny') return outcome;
  return { type: 'rejected', reason: `${outcome.by} changed it while approving it. ${whyDenied(decision)}` };
}

/** For the model. A rule without a reason already has its name in the text. */
function whyDenied({ reason, rule, version }: RuleDecision): string {
  if (version === BUILT_IN) return `Denied by a protection built into Proffer. ${reason}`;
  const name = rule === undefined ? '' : describeRule(rule);
  return rule === undefined || reason.startsWith(name) ? `Denied. ${reason}` : `Denied. ${name}: ${reason}`;
}

function verdictOf(
  outcome: Extract<AskOutcome, { readonly type: 'approved' | 'rejected' }>,
  call: HookCall,
): AgentVerdict {
  if (outcome.type === 'rejected') return { type: 'deny', reason: outcome.reason };
  const { by, arguments: changed } = outcome;
  return { type: 'allow', by, ...(sameJson(changed, call.arguments) ? {} : { changed }) };
}
