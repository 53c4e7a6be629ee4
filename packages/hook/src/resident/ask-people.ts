import {
  OperationFailedError,
  type Participant,
  ProposalExpiredError,
  ProposalRejectedError,
  type ProposalRejection,
  ProposalWithdrawnError,
  type Tool,
} from '@proffer/client';
import type { JsonObject } from '@proffer/core/json';
import { describeRejection, PLAIN } from '@proffer/core/words';
import { AGENTS, type HookCall } from '../agents/index.js';
import type { Asked, AskedAbout, Outcome } from './outcome.js';

/** How many tools of one agent are announced, at most. */
const MAX_TOOLS = 300;
/** How long to wait for a lost gateway, in milliseconds. */
const GATEWAY_PATIENCE = 20_000;
/** JSON-RPC: the request cannot be carried out now. */
const NOT_RUN = -32_000;

interface Waiting {
  readonly settle: (asked: Asked) => void;
  isOver: boolean;
}

export interface AskPeopleOptions {
  /** The agent's connection to a space. */
  readonly participant: Participant;
  /** The user of this machine, if known. */
  readonly user?: string;
}

/** Asks people about the calls of one agent, in a space. */
export interface AskPeople {
  ask(call: HookCall, about: AskedAbout): Promise<Asked>;
}

/**
 * Proposes calls in the name of an agent. The agent itself runs what is approved: the approver's
 * request arrives here, and is answered once the agent has its answer, or with an error if it no
 * longer waits.
 */
export function createAskPeople({ participant, user }: AskPeopleOptions): AskPeople {
  const waiting = new Map<string, Waiting>();
  const tools = new Map<string, Promise<unknown>>();

  /** The answer to the approver of a call. */
  const run = async (label: string, args: JsonObject, by: string, proposal: string): Promise<string> => {
    const one = waiting.get(proposal);
    if (one === undefined || one.isOver) throw notRun(label);
    one.isOver = true;
    const [isDelivered, whyNot] = await new Promise<readonly [boolean, string?]>((resolve) =>
      one.settle({
        outcome: { type: 'approved', by, arguments: args },
        delivered: (isSent, why) => resolve(why === undefined ? [isSent] : [isSent, why]),
      }),
    );
    if (!isDelivered) throw notRun(label);
    if (whyNot !== undefined)
      throw new OperationFailedError(NOT_RUN, `Nothing was run. ${label} was told: ${whyNot}`);
    return `${label} was told to run it. The outcome is in ${label}.`;
  };

  const serve = async (call: HookCall, name: string): Promise<void> => {
    if (tools.size >= MAX_TOOLS && !tools.has(name)) throw new Error('It uses too many different tools.');
    const { label } = AGENTS[call.agent];
    const tool: Tool = {
      name,
      description: `${call.tool}, which ${label} runs itself`,
      handler: (args, { from, proposal = '', grant }) =>
        run(label, args, grant === undefined ? from : `a grant of ${from}`, proposal),
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
        const one: Waiting = { isOver: false, settle: (asked) => end(asked) };
        const proposal = participant.propose(
          'tools/call',
          { name, arguments: call.arguments },
          {
            executor: participant.name,
            ttl: Math.max(1_000, Math.floor(wait)),
            origin: originOf(call, user),
            ...(grants ? {} : { grants }),
            ...(call.reason === undefined ? {} : { reason: call.reason }),
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
  };
}

function originOf({ agent, version, session, folder }: HookCall, user: string | undefined) {
  return {
    client: agent,
    ...(version === undefined ? {} : { version }),
    ...(user === undefined ? {} : { user }),
    ...(session === undefined ? {} : { session }),
    folder: folder.slice(0, 1_000),
  };
}

function nobody(reason: string): Asked {
  return { outcome: { type: 'undecided', reason }, delivered: () => {} };
}

function notRun(label: string): OperationFailedError {
  return new OperationFailedError(NOT_RUN, `${label} is no longer waiting for this. Nothing was run.`);
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
