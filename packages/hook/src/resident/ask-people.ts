import { randomUUID } from 'node:crypto';
import { ANSWERED_LATER, type Participant, type Tool } from '@proffer/client';
import {
  answerApproval,
  askedCall,
  type CallAnswer,
  notRunError,
  OwnCall,
  type OwnCallOutcome,
  type WaitingClient,
} from '@proffer/client/own-calls';
import { defined, type JsonObject } from '@proffer/core/json';
import { describeRejection, PLAIN } from '@proffer/core/words';
import { AGENTS, type CallReport, type HookCall } from '../agents/index.js';
import type { UnreportedCalls } from './unreported-calls.js';

/** How many tools of one agent are announced, at most. */
const MAX_TOOLS = 300;
/** How long to wait for a lost gateway, in milliseconds. */
const GATEWAY_PATIENCE = 20_000;

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
  ask(call: HookCall, about: AskedAbout): Promise<AskResult>;
  /** Passes on the agent's report about a call (O-46). Ignored if nobody was asked about the call. */
  report(call: HookCall, report: CallReport): Promise<void>;
}

/**
 * Proposes calls in the name of an agent. The agent itself runs what is approved: the approver's
 * request arrives here, and is answered with the agent's report, or with an error if the agent no
 * longer waits.
 */
export function createAskPeople({ participant, unreported, user }: AskPeopleOptions): AskPeople {
  const waiting = new Map<string, OwnCall>();
  const tools = new Map<string, Promise<unknown>>();

  const serve = async (call: HookCall, name: string): Promise<void> => {
    if (tools.size >= MAX_TOOLS && !tools.has(name)) throw new Error('It uses too many different tools.');
    const { label } = AGENTS[call.agent];
    const tool: Tool = {
      name,
      description: `${call.tool}, which ${label} runs itself`,
      handler: (args, { from, proposal = '' }) => {
        const own = waiting.get(proposal);
        if (own === undefined) throw notRun(`${label} is no longer waiting for this.`);
        return own.approve({ by: from, arguments: args });
      },
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
      return await new Promise<AskResult>((resolve) => {
        const { label } = AGENTS[call.agent];
        const id = randomUUID();
        const own = new OwnCall(askedCall({ id, arguments: call.arguments, createdAt: started }, started), {
          window: 0,
        });
        const end = (asked: AskResult): void => {
          waiting.delete(id);
          clearTimeout(late);
          clearInterval(watching);
          signal.removeEventListener('abort', onGone);
          resolve(asked);
        };
        const caller: WaitingClient = {
          run: async ({ by, arguments: args }) => {
            if (!waiting.has(id)) throw notRun(`${label} is no longer waiting for this.`);
            const { request = '', grant } = proposal.fulfilment ?? {};
            // Before the agent knows: it may report at once.
            unreported.put(call, args, { proposal: id, request, by });
            const asked = {
              type: 'approved',
              by: grant === undefined ? by : `a grant of ${by}`,
              arguments: args,
            } as const;
            const whyNot = await new Promise<string | undefined>((tell) =>
              end({
                outcome: asked,
                delivered: (isSent, why) =>
                  tell(
                    isSent ? why && `${label} was told: ${why}` : `${label} is no longer waiting for this.`,
                  ),
              }),
            );
            if (whyNot === undefined) return ANSWERED_LATER;
            unreported.delete(id);
            throw notRun(whyNot);
          },
          settle: (outcome) => {
            end({ outcome: outcomeFor(outcome, wait, why), delivered: () => {} });
            return true;
          },
        };
        const giveUp = (reason: string): void => {
          end(nobody(reason));
          // Abandoned calls must not stay in an inbox; after a lost connection they are withdrawn when it is back.
          own.tell({ type: 'cancel', reason });
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
        own.join(caller);
        waiting.set(id, own);
        const proposal = own.propose(participant, name, {
          ttl: Math.max(1_000, Math.floor(wait)),
          origin: originOf(call, user),
          ...(grants ? {} : { grants }),
          ...defined({ reason: call.reason }),
        });
      });
    },
    async report(call, report) {
      const found = unreported.take(call);
      if (found === undefined) return;
      const told = found.isOtherLine && report.type !== 'not run' ? RAN_ANOTHER : report;
      await answerApproval(participant, found, answerFor(AGENTS[call.agent].label, told));
    },
  };
}

/** Something else that takes part in the agent's calls may have changed the command after it was approved. */
const RAN_ANOTHER: CallReport = {
  type: 'not run',
  why: 'it ran a different command, which nobody approved.',
};

/** What the approver is told. The output stays with the agent. */
function answerFor(label: string, report: CallReport): CallAnswer | Error {
  const more = 'why' in report ? report.why : (report.note ?? '');
  if (report.type === 'not run') return notRun(`${label} did not run it${more === '' ? '.' : `: ${more}`}`);
  const said = report.type === 'ok' ? `${label} ran it.` : `${label} ran it, and it failed.`;
  const text = more === '' ? said : `${said} ${more}`;
  return { result: { content: [{ type: 'text', text }], isError: report.type === 'failed' } };
}

function originOf({ agent, version, session, folder }: HookCall, user: string | undefined) {
  return { client: agent, ...defined({ version, user, session }), folder: folder.slice(0, 1_000) };
}

function nobody(reason: string): AskResult {
  return { outcome: { type: 'undecided', reason }, delivered: () => {} };
}

/** @param why - a sentence */
function notRun(why: string): Error {
  return notRunError(`Nothing was run. ${why}`, why);
}

function outcomeFor(outcome: OwnCallOutcome, wait: number, why: string): AskOutcome {
  switch (outcome.type) {
    case 'rejected': {
      const said = outcome.rejections.map((rejection) => describeRejection(rejection, PLAIN));
      return { type: 'rejected', reason: outcome.why ?? said.join(' ') };
    }
    case 'expired':
      return { type: 'undecided', reason: `Not decided within ${seconds(wait)}. ${why}` };
    case 'withdrawn':
      return { type: 'undecided', reason: 'The call was withdrawn before it was decided.' };
    case 'unavailable':
    case 'invalid':
      return { type: 'undecided', reason: `Proffer could not ask anyone: ${outcome.why}` };
    default:
      return { type: 'undecided', reason: 'The call was decided elsewhere.' };
  }
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

/** The result of asking people about a call. */
export type AskOutcome =
  | { readonly type: 'approved'; readonly by: string; readonly arguments: JsonObject }
  | { readonly type: 'rejected'; readonly reason: string }
  /** The agent does what it would do without a hook. */
  | { readonly type: 'left to agent' }
  /** No one decided, and no one can any more. */
  | { readonly type: 'undecided'; readonly reason: string };

/** How to ask people about a call. */
export interface AskedAbout {
  /** The time limit, in milliseconds. */
  readonly wait: number;
  /** Why they are asked. */
  readonly why: string;
  /** Whether an existing grant is an answer (O-41). */
  readonly grants: boolean;
  /** Aborted when the agent no longer waits. */
  readonly signal: AbortSignal;
}

/** The result of asking people. */
export interface AskResult {
  readonly outcome: AskOutcome;
  /**
   * Reports whether the agent got the answer, and if not why. The approver waits until then, and it
   * goes on record.
   */
  readonly delivered: (isDelivered: boolean, whyNot?: string) => void;
}
