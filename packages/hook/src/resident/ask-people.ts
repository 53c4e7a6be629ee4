import {
  ANSWERED_LATER,
  OperationFailedError,
  type Participant,
  ProposalExpiredError,
  ProposalRejectedError,
  type ProposalRejection,
  ProposalWithdrawnError,
  type Tool,
  type ToolCall,
} from '@proffer/client';
import { defined, type JsonObject } from '@proffer/core/json';
import { NOT_RUN_KEY } from '@proffer/core/operations';
import { describeRejection, PLAIN } from '@proffer/core/words';
import { AGENTS, type CallReport, type HookCall } from '../agents/index.js';
import type { Asked, AskedAbout, Outcome } from './outcome.js';
import type { UnreportedCalls } from './unreported-calls.js';

/** How many tools of one agent are announced, at most. */
const MAX_TOOLS = 300;
/** How long to wait for a lost gateway, in milliseconds. */
const GATEWAY_PATIENCE = 20_000;
/** JSON-RPC: the request cannot be carried out now. */
const NOT_RUN = -32_000;

interface Waiting {
  readonly call: HookCall;
  readonly settle: (asked: Asked) => void;
  isOver: boolean;
}

export interface AskPeopleOptions {
  /** The agent's connection to a space. */
  readonly participant: Participant;
  /** The calls that the agent has not reported. */
  readonly unreported: UnreportedCalls;
  /** The user of this machine, if known. */
  readonly user?: string;
}

/** Asks people about the calls of one agent, in a space. */
export interface AskPeople {
  ask(call: HookCall, about: AskedAbout): Promise<Asked>;
  /** Passes on the agent's report about a call (O-46). Ignored if nobody was asked about the call. */
  report(call: HookCall, report: CallReport): Promise<void>;
}

/**
 * Proposes calls in the name of an agent. The agent itself runs what is approved: the approver's
 * request arrives here, and is answered with the agent's report, or with an error if the agent no
 * longer waits.
 */
export function createAskPeople({ participant, unreported, user }: AskPeopleOptions): AskPeople {
  const waiting = new Map<string, Waiting>();
  const tools = new Map<string, Promise<unknown>>();

  /** Allows a call. Its approver is answered when the agent reports how it ended. */
  const allow = async (
    label: string,
    args: JsonObject,
    request: ToolCall,
  ): Promise<typeof ANSWERED_LATER> => {
    const { id, from, proposal = '', grant } = request;
    const one = waiting.get(proposal);
    if (one === undefined || one.isOver) throw notRun(`${label} is no longer waiting for this.`);
    one.isOver = true;
    const by = grant === undefined ? from : `a grant of ${from}`;
    // Before the agent knows: it may report at once.
    unreported.put(one.call, args, { proposal, request: id, by: from });
    const [isDelivered, whyNot] = await new Promise<readonly [boolean, string?]>((resolve) =>
      one.settle({
        outcome: { type: 'approved', by, arguments: args },
        delivered: (isSent, why) => resolve(why === undefined ? [isSent] : [isSent, why]),
      }),
    );
    if (isDelivered && whyNot === undefined) return ANSWERED_LATER;
    unreported.delete(proposal);
    throw notRun(isDelivered ? `${label} was told: ${whyNot}` : `${label} is no longer waiting for this.`);
  };

  const serve = async (call: HookCall, name: string): Promise<void> => {
    if (tools.size >= MAX_TOOLS && !tools.has(name)) throw new Error('It uses too many different tools.');
    const { label } = AGENTS[call.agent];
    const tool: Tool = {
      name,
      description: `${call.tool}, which ${label} runs itself`,
      handler: (args, request) => allow(label, args, request),
    };
    const served = tools.get(name) ?? participant.serve([tool]);
    tools.set(name, served);
    await served.catch((error: unknown) => {
      tools.delete(name);
      throw error;
    });
  };

  return {
    async ask(call, { wait, signal, why, grants }) {
      const name = `${call.agent}/${call.tool}`;
      const started = Date.now();
      try {
        await inTime(serve(call, name), wait);
      } catch (error) {
        return nobody(`Proffer could not ask anyone: ${messageOf(error)}`);
      }
      if (signal.aborted) return nobody('The agent stopped waiting.');
      return await new Promise<Asked>((resolve) => {
        const one: Waiting = { call, isOver: false, settle: (asked) => end(asked) };
        const proposal = participant.propose(
          'tools/call',
          { name, arguments: call.arguments },
          {
            executor: participant.name,
            ttl: Math.max(1_000, Math.floor(wait)),
            origin: originOf(call, user),
            ...(grants ? {} : { grants }),
            ...defined({ reason: call.reason }),
          },
        );
        waiting.set(proposal.id, one);
        const end = (asked: Asked): void => {
          one.isOver = true;
          waiting.delete(proposal.id);
          clearTimeout(late);
          clearInterval(watching);
          signal.removeEventListener('abort', onGone);
          resolve(asked);
        };
        const giveUp = (reason: string): void => {
          if (one.isOver) return;
          end(nobody(reason));
          // Abandoned calls must not stay in an inbox; after a lost connection they are withdrawn when it is back.
          proposal.withdraw(reason).catch(() => {});
        };
        const onGone = (): void => giveUp('The agent stopped waiting.');
        signal.addEventListener('abort', onGone);
        const late = setTimeout(
          () => giveUp(`Not decided within ${seconds(wait)}.`),
          Math.max(0, started + wait + 1_000 - Date.now()),
        );
        let away = 0;
        const watching = setInterval(() => {
          away = participant.isConnected ? 0 : away + 1_000;
          if (away >= GATEWAY_PATIENCE) giveUp('The gateway is offline, so nobody can decide.');
        }, 1_000);
        proposal.catch((error: unknown) => {
          // Approved and then not answered, or changed in between: a settled call stays settled.
          if (!one.isOver) end({ outcome: outcomeOf(error, wait, why), delivered: () => {} });
        });
      });
    },
    async report(call, report) {
      const found = unreported.take(call);
      if (found === undefined) return;
      const { proposal, request, by, isOtherLine } = found;
      const told = isOtherLine && report.type !== 'not run' ? RAN_ANOTHER : report;
      await participant.send({
        kind: 'mcp.response.tools/call',
        to: [by],
        // After a long time, only the proposal is still known.
        correlationId: [request, proposal],
        payload: { jsonrpc: '2.0', id: request, ...answerFor(AGENTS[call.agent].label, told) },
      });
    },
  };
}

/** Something else that takes part in the agent's calls may have changed the command after it was approved. */
const RAN_ANOTHER: CallReport = { type: 'not run', why: 'it ran another command, which nobody approved.' };

/** What the approver is told. The output stays with the agent. */
function answerFor(label: string, report: CallReport): JsonObject {
  const more = 'why' in report ? report.why : (report.note ?? '');
  if (report.type === 'not run') {
    const { code, message, data } = notRun(`${label} did not run it${more === '' ? '.' : `: ${more}`}`);
    return { error: { code, message, data: data ?? {} } };
  }
  const said = report.type === 'ok' ? `${label} ran it.` : `${label} ran it, and it failed.`;
  const text = more === '' ? said : `${said} ${more}`;
  return { result: { content: [{ type: 'text', text }], isError: report.type === 'failed' } };
}

function originOf({ agent, version, session, folder }: HookCall, user: string | undefined) {
  return { client: agent, ...defined({ version, user, session }), folder: folder.slice(0, 1_000) };
}

function nobody(reason: string): Asked {
  return { outcome: { type: 'undecided', reason }, delivered: () => {} };
}

/** @param why - a sentence */
function notRun(why: string): OperationFailedError {
  const data = { [NOT_RUN_KEY]: { outcome: 'withdrawn', reason: why } };
  return new OperationFailedError(NOT_RUN, `Nothing was run. ${why}`, data);
}

function outcomeOf(error: unknown, wait: number, why: string): Outcome {
  if (error instanceof ProposalRejectedError)
    return { type: 'rejected', reason: error.why ?? error.rejections.map(inWords).join(' ') };
  if (error instanceof ProposalExpiredError)
    return { type: 'undecided', reason: `Not decided within ${seconds(wait)}. ${why}` };
  if (error instanceof ProposalWithdrawnError)
    return { type: 'undecided', reason: 'The question was withdrawn before it was decided.' };
  return { type: 'undecided', reason: `Proffer could not ask anyone: ${messageOf(error)}` };
}

function inWords(rejection: ProposalRejection): string {
  return describeRejection(rejection, PLAIN);
}

function seconds(wait: number): string {
  const [count, unit] = wait >= 120_000 ? [wait / 60_000, 'minute'] : [wait / 1_000, 'second'];
  return `${Math.round(count)} ${unit}${Math.round(count) === 1 ? '' : 's'}`;
}

async function inTime(work: Promise<void>, wait: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error('the gateway is not responding.')),
      Math.min(wait, GATEWAY_PATIENCE),
    );
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
