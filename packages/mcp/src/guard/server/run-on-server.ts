import type { CallApproval, Owner } from '@proffer/client/own-calls';
import { defined, type JsonObject } from '@proffer/core/json';
import { NotTakenError } from '../../channel/not-taken.js';
import { type AskOptions, askOnce, type ServerRequests } from '../../channel/server-requests.js';
import { INTERNAL_ERROR, objectAt, type RpcAnswer } from '../../json-rpc.js';
import { notTaken } from '../answers.js';
import { type GatedCall, inputOf, type TaskInput } from '../calls/index.js';
import type { CallHandlingOptions, ProgressReporter } from '../client/index.js';
import { type GuardedToolCall, paramsToRun, taskToAskFor, transportMeta } from '../tool-call.js';
import { followTask, taskIn } from './server-task.js';

/** Where a call runs, and for whom. */
export interface Running
  extends Pick<CallHandlingOptions, 'runOn' | 'pendingCalls' | 'send' | 'settings' | 'toolbook'> {
  /** The server requests of the caller's connection; not needed if each request has its own channel (`runOn`). */
  readonly requests?: ServerRequests;
  readonly followed?: CallHandlingOptions['followed'];
  readonly owner: Owner;
}

/** A call that runs for a caller. */
export interface Run {
  readonly call: GatedCall;
  /** The call as the caller made it. */
  readonly asked: GuardedToolCall;
  readonly approval: CallApproval;
  readonly progress: ProgressReporter;
  /** Aborted when nobody wants it any more: the server is asked to stop. */
  readonly stopping?: AbortSignal;
}

/** How often in a row a server may ask to be called again without asking for anything. */
const MAX_REPEATS = 10;

/**
 * Runs a call as it was approved, to the tool's own end: if the server answers with a task, that is followed; if it
 * asks for more input, a caller that has the call as a task is asked. Any other caller gets the questions as the
 * result, and the next round is remembered. Fails if the server goes away or does not answer.
 */
export async function runOnServer(running: Running, run: Run): Promise<RpcAnswer> {
  const { call, asked, approval } = run;
  const { by, edit, arguments: approved } = approval;
  const { pendingCalls, owner } = running;
  const answer = await runRounds(running, run);
  if ('result' in answer) {
    // The decision time was only for the first round.
    const { expiresAt: _, round = 1, ...about } = call.facts;
    const facts = { ...about, round: round + 1 };
    pendingCalls.rounds.expect(
      { tool: asked.tool, asked: asked.arguments, approved, by, edit, owner, facts },
      answer.result,
    );
  }
  return answer;
}

async function runRounds(running: Running, run: Run): Promise<RpcAnswer> {
  const { call } = run;
  const input = (): TaskInput | undefined => (call.state.isTask ? inputOf(call) : undefined);
  let more: JsonObject | undefined;
  let repeats = 0;
  for (;;) {
    const answer = await runRound(running, run, { ...defined({ more }), input });
    const asking = input();
    const isAsked = 'result' in answer && answer.result['resultType'] === 'input_required';
    if (asking === undefined || !isAsked) return answer;
    const requests = objectAt(answer.result, 'inputRequests');
    const { requestState } = answer.result;
    const state = defined({ requestState });
    if (Object.keys(requests).length === 0) {
      if (++repeats === MAX_REPEATS) return { error: CALLED_IN_VAIN };
      more = state;
      continue;
    }
    repeats = 0;
    const inputResponses = await answersTo(requests, asking, running);
    if (inputResponses === undefined) return { error: NOT_ANSWERED };
    more = { ...state, inputResponses };
  }
}

const NOT_ANSWERED: JsonObject = {
  code: INTERNAL_ERROR,
  message: 'The server asked for more input, and nobody answered in time.',
};

const CALLED_IN_VAIN: JsonObject = {
  code: INTERNAL_ERROR,
  message: `The server asked to be called again ${MAX_REPEATS} times without asking for any input.`,
};

/** The caller's answers; `undefined` if it does not answer within the decision time of a proposal. */
async function answersTo(
  requests: JsonObject,
  input: TaskInput,
  { settings }: Running,
): Promise<JsonObject | undefined> {
  const stop = settings.clock.after(settings.ttl, () => input.fail(new Error('Nobody answered in time.')));
  try {
    return await input.ask(requests);
  } catch {
    return undefined;
  } finally {
    stop();
  }
}

async function runRound(
  running: Running,
  { call, asked, approval, progress, stopping }: Run,
  { more, input }: { readonly more?: JsonObject; readonly input: () => TaskInput | undefined },
): Promise<RpcAnswer> {
  const { requests, settings, toolbook } = running;
  const task = taskToAskFor(asked, toolbook.taskSupport);
  const relay = (told: JsonObject): void => progress.relay(told);
  const about = defined({ task, more });
  const request = (id: string) => ({
    method: 'tools/call',
    params: paramsToRun(asked, approval.arguments, { ...about, progressToken: id }),
  });
  const asking = ask(running, request, { onProgress: relay, ...defined({ stopping }) });
  // A later round that was not accepted does not mean that nothing was run.
  const isFirst = more === undefined && (call.facts.round ?? 1) === 1;
  const answer = await asking.catch(isFirst ? asNotRun : asUnknown);
  const followed = 'result' in answer ? taskIn(answer.result, task !== undefined) : undefined;
  if (followed === undefined) return answer;
  if (!followed.isModern) running.followed?.add(followed.id, call.facts.id);
  const following = followTask(followed, {
    ask: (method, params) => ask(running, () => ({ method, params }), { onProgress: relay }),
    ...defined({ stopping }),
    clock: settings.clock,
    meta: transportMeta(objectAt(asked.params, '_meta')),
    input,
    onStatus: (text) => progress.say(text),
  });
  // If each request has its own channel, the end of this one says nothing about the server.
  if (running.runOn !== undefined || requests === undefined) return await following;
  return await requests.beforeEnd(following);
}

function asNotRun(error: unknown): never {
  throw error instanceof NotTakenError ? notTaken(error.message) : error;
}

function asUnknown(error: unknown): never {
  throw new Error(error instanceof Error ? error.message : String(error), { cause: error });
}

async function ask(
  { requests, runOn, send }: Running,
  request: (id: string) => { readonly method: string; readonly params: JsonObject },
  about: AskOptions,
): Promise<RpcAnswer> {
  if (runOn !== undefined) return await askOnce(runOn(), request, { ...about, onLog: send });
  if (requests === undefined) throw new NotTakenError('There is no connection to the server.');
  const id = requests.nextId();
  return await requests.ask(id, request(id), about);
}
