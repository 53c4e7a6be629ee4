import { randomUUID } from 'node:crypto';
import { ANSWERED_LATER, type Participant, type ProposalFulfilment, RefusedError } from '@proffer/client';
import {
  answerApproval,
  askedCall,
  type CallAnswer,
  notRunError,
  OwnCall,
  reasonNotRun,
} from '@proffer/client/own-calls';
import { defined, type JsonObject, objectOf } from '@proffer/core/json';
import type { Origin } from '@proffer/core/operations';
import type { AgentCall } from './call.js';
import { type BlockedCall, CANCELLED, decisionOf, type GateDecision, notRun, notRunIn } from './decision.js';

export interface QuestionOptions {
  readonly id: string;
  readonly call: AgentCall;
  /** The arguments as shown. */
  readonly arguments: JsonObject;
  readonly origin: Origin;
  readonly ttl: number | undefined;
  readonly timeout: number;
}

/** A call that this process runs. */
export interface RunningCall {
  readonly type: 'running';
  /** Reports how it ended; an error says that nothing was run. Settles when that is in the journal. */
  readonly end: (answer: CallAnswer | typeof ANSWERED_LATER | Error) => Promise<void>;
}

/** One call that the space is asked about. */
export interface CallQuestion {
  /** The decision; never fails. */
  readonly decision: Promise<GateDecision>;
  /** Whether this process runs it, or has. */
  isTaken(): boolean;
  /**
   * Starts to run it. At most one process ever may: the first one records so in the journal, under an
   * id that no other can use again. Returns the reason if it must not be run.
   */
  begin(): Promise<RunningCall | BlockedCall>;
  /** If it is approved, no one will run it: reports so, unless someone started it. */
  disown(): Promise<void>;
}

const STARTED_ELSEWHERE = 'another process of the agent started it, and recorded no result.';

export const NOBODY_WAITS = 'Nothing was run: the agent is no longer waiting for this call.';

/** The maximum length of a proposal's reason, in characters. */
const LONGEST_REASON = 1_000;

/** How long the outcome of a call is kept for nobody, in milliseconds. */
const WINDOW = 60_000;

/**
 * Asks about an own call of the agent. Any process of the agent may run it, so one has to claim it first; it waits
 * until it expires, since a process that is started again finds it.
 */
export function ask(participant: Participant, options: QuestionOptions): CallQuestion {
  const { id, call, arguments: shown, ttl, timeout, origin } = options;
  const cancelled: BlockedCall = { type: 'cancelled', proposal: id, reason: CANCELLED };
  const withdrawal = new AbortController();
  /** Where a process of this agent, maybe an earlier one, started to run it. */
  let begun: 'here' | 'elsewhere' | undefined;
  let isDisowned = false;
  let answered = Promise.resolve();
  let settle: ((decision: GateDecision) => void) | undefined;
  const decision = new Promise<GateDecision>((resolve) => {
    settle = resolve;
  });

  const now = Date.now();
  const own: OwnCall = new OwnCall(askedCall({ id, arguments: shown, createdAt: now }, now, true), {
    window: WINDOW,
    // One that has not left yet is not sent at all.
    withdraw: () => withdrawal.abort(),
    onChange: () => {
      if (own.outcome !== undefined) return settle?.(decisionOf(own.outcome, id));
      if (own.state.phase.type !== 'approved') return;
      if (begun !== undefined) return isTaken() ? undefined : void begin();
      settle?.(approved());
      if (isDisowned) own.tell({ type: 'cancel', reason: CANCELLED });
    },
  });
  const reason = call.reason?.slice(0, LONGEST_REASON) || undefined;
  const about = { origin, signal: withdrawal.signal, ...defined({ ttl, reason }) };
  const proposal = own.propose(participant, call.tool, about);
  proposal.onStatus((update) => {
    const isClaim =
      update.type === 'status' && update.status === 'processing' && update.by === participant.name;
    if (isClaim) begun ??= 'elsewhere';
    if (update.type === 'fulfilled') answered = take(update).catch(() => {});
  });

  const giveUp = (why: BlockedCall): void => {
    settle?.(why);
    // If it is approved first, the approver is told that nothing was run.
    own.tell({ type: 'cancel', reason: CANCELLED });
  };
  const late = setTimeout(() => giveUp(notRun(new Error(`No answer within ${timeout} ms.`), id)), timeout);
  void own.stored().then(() => clearTimeout(late));
  const onAbort = (): void => giveUp(cancelled);
  call.signal?.addEventListener('abort', onAbort);
  if (call.signal?.aborted === true) onAbort();
  void decision.finally(() => {
    clearTimeout(late);
    call.signal?.removeEventListener('abort', onAbort);
  });

  function isTaken(): boolean {
    return own.isRunning || own.state.callers.length > 0;
  }

  function approved(): GateDecision {
    const { by = '', amendment = [], params, grant } = proposal.fulfilment ?? {};
    const edited = amendment.length > 0;
    const args = edited ? (params?.['arguments'] ?? {}) : call.arguments;
    return { type: 'approved', proposal: id, by, ...defined({ grant }), edited, arguments: args };
  }

  /** Passes an approval on, and answers its approver. */
  async function take({ by, request, params }: ProposalFulfilment): Promise<void> {
    // What an earlier process learned about it is also known as soon as it is accepted.
    await own.stored();
    if (own.outcome !== undefined) return;
    try {
      const result = await own.approve({ by, arguments: objectOf(params?.['arguments']) });
      if (result !== ANSWERED_LATER) await answerApproval(participant, { by, request }, { result });
    } catch (error) {
      const isFree = reasonNotRun(error) !== undefined && begun === undefined;
      if (isFree && !(await claim(participant, id, 'give up'))) return;
      await answerApproval(participant, { by, request }, error as Error);
    }
  }

  /** Settles when the approver's answer is in the journal, or the call has another end. */
  async function recorded(): Promise<void> {
    await Promise.race([answered, proposal]).catch(() => {});
  }

  function begin(): Promise<RunningCall | BlockedCall> {
    return new Promise((resolve) => {
      let refused: BlockedCall | undefined;
      const refuse = (why: BlockedCall, said = why.reason): never => {
        refused = why;
        throw notRunError(said);
      };
      own.join({
        run: async () => {
          if (begun !== undefined) throw new Error(STARTED_ELSEWHERE);
          begun = 'here';
          const claiming = claim(participant, id, 'run');
          const isFirst = await claiming.catch((error: unknown) => refuse(notRun(error, id)));
          if (!isFirst) throw new Error(STARTED_ELSEWHERE);
          if (call.signal?.aborted === true) refuse(cancelled, NOBODY_WAITS);
          return await new Promise((give, fail) => {
            const end: RunningCall['end'] = async (answer) => {
              if (answer instanceof Error) fail(answer);
              else give(answer);
              await recorded();
            };
            resolve({ type: 'running', end });
          });
        },
        settle: (outcome) => {
          const why = refused ?? notRunIn(decisionOf(outcome, id)) ?? cancelled;
          void recorded().then(() => resolve(why));
          return true;
        },
      });
    });
  }

  return {
    decision,
    isTaken,
    begin,
    async disown() {
      isDisowned = true;
      if (own.state.phase.type !== 'approved') return;
      own.tell({ type: 'cancel', reason: CANCELLED });
      await answered;
    },
  };
}

/**
 * Claims an approved call, to run it or to give it up. True for exactly one claim among all
 * processes: the journal accepts its id once, and every claim has different content (O-3). False if
 * another was first, or the call has ended.
 */
export async function claim(
  participant: Participant,
  proposal: string,
  to: 'run' | 'give up',
): Promise<boolean> {
  try {
    const what = to === 'run' ? 'Started' : 'Given up';
    const message = `${what} by ${participant.name} (process ${process.pid}, claim ${randomUUID()}).`;
    const receipt = await participant.status(proposal, 'processing', { id: `${proposal}-began`, message });
    return receipt.status === 'accepted';
  } catch (error) {
    if (error instanceof RefusedError && error.code === 'id_conflict') return false;
    throw error;
  }
}
