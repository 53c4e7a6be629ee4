import {
  OperationFailedError,
  type Participant,
  type ProposalFulfilment,
  type ProposalPromise,
} from '@proffer/client';
import { defined, type JsonObject } from '@proffer/core/json';
import type { Origin } from '@proffer/core/operations';
import type { AgentCall } from './call.js';
import { type Answer, answerRequest, claim, NOBODY_WAITS } from './claim.js';
import { CANCELLED, type Decision, failedBefore, MAY_HAVE_RUN, type NotRun, notRun } from './decision.js';
import { readRecordedOutput } from './recorded-output.js';
import { whenAborted } from './when-aborted.js';

export interface QuestionOptions {
  readonly id: string;
  readonly call: AgentCall;
  /** The arguments as shown. */
  readonly arguments: JsonObject;
  readonly origin: Origin;
  readonly ttl: number | undefined;
  readonly timeout: number;
}

/** The maximum length of a proposal's reason, in characters. */
const LONGEST_REASON = 1_000;

/**
 * One call that the space is asked about. It is proposed as our own call, so that an approval comes
 * back to this process as a request, and the result is recorded as the response.
 */
export class Question {
  /** The decision; never fails. */
  readonly decision: Promise<Decision>;
  /** Whether this process runs it, or has. */
  isTaken = false;
  readonly #participant: Participant;
  readonly #options: QuestionOptions;
  readonly #proposal: ProposalPromise;
  readonly #ended: Promise<Decision>;
  readonly #withdrawal = new AbortController();
  #fulfilment: ProposalFulfilment | undefined;
  /** A process of this agent, maybe an earlier one, started to run it. */
  #wasBegun = false;
  #isGivenUp = false;
  #isOver = false;

  constructor(participant: Participant, options: QuestionOptions) {
    const { id, call, ttl, origin } = options;
    this.#participant = participant;
    this.#options = options;
    this.#proposal = participant.propose(
      'tools/call',
      { name: call.tool, arguments: options.arguments },
      {
        id,
        executor: participant.name,
        origin,
        signal: this.#withdrawal.signal,
        ...defined({ ttl }),
        ...(call.reason === undefined || call.reason === ''
          ? {}
          : { reason: call.reason.slice(0, LONGEST_REASON) }),
      },
    );
    this.#ended = this.#end(id);
    this.decision = this.#decide();
  }

  /**
   * Starts to run it. At most one process ever may: the first one records so in the journal, under an
   * id that no other can use again. Returns the reason if it must not be run.
   */
  async begin(): Promise<NotRun | undefined> {
    const { id, call } = this.#options;
    if (this.#wasBegun) return this.#unknown();
    this.#wasBegun = true;
    this.isTaken = true;
    let isFirst: boolean;
    try {
      isFirst = await claim(this.#participant, id, 'run');
    } catch (error) {
      const refused = notRun(error, id);
      await this.answer({ notRun: refused.reason });
      return refused;
    }
    if (!isFirst) return this.#unknown();
    if (call.signal?.aborted !== true) return undefined;
    await this.answer({ notRun: NOBODY_WAITS });
    return { type: 'cancelled', proposal: id, reason: CANCELLED };
  }

  /** Records the result; settles when that is in the journal. */
  async answer(answer: Answer): Promise<void> {
    if (this.#fulfilment === undefined) return;
    const recorded = answerRequest(this.#participant, this.#fulfilment, answer);
    await Promise.race([recorded, this.#proposal]).catch(() => {});
  }

  /** It is approved, and no one will run it: reports so, unless someone started it. */
  async disown(): Promise<void> {
    this.#isGivenUp = true;
    if (this.#fulfilment === undefined || this.#wasBegun) return;
    this.#wasBegun = true;
    if (await claim(this.#participant, this.#options.id, 'give up').catch(() => false))
      await this.answer({ notRun: NOBODY_WAITS });
  }

  /** Its outcome, unless this process runs it. */
  async #end(id: string): Promise<Decision> {
    try {
      const recorded = readRecordedOutput(await this.#proposal);
      if (recorded !== undefined) return { type: 'ran', proposal: id, ...recorded };
      return { type: 'unknown', proposal: id, reason: 'This call ran, and its output was not kept.' };
    } catch (error) {
      return error instanceof OperationFailedError ? failedBefore(error, id) : notRun(error, id);
    } finally {
      this.#isOver = true;
    }
  }

  async #decide(): Promise<Decision> {
    const { id, call, timeout } = this.#options;
    const fulfilled = this.#listen();
    const { aborted, stop } = whenAborted(call.signal);
    const late = timer(timeout);
    try {
      // What an earlier process learned about it is also known as soon as it is accepted.
      const accepted = await Promise.race([
        this.#proposal.accepted.then(
          () => 'accepted' as const,
          () => 'refused' as const,
        ),
        late.over,
        aborted,
      ]);
      if (accepted === 'late') return this.#giveUp(notRun(new Error(`No answer in ${timeout} ms.`), id));
      if (accepted === 'aborted') return this.#giveUp({ type: 'cancelled', proposal: id, reason: CANCELLED });
      if (accepted === 'refused' || this.#isOver) return await this.#ended;
      const first = await Promise.race([fulfilled, this.#ended, aborted]);
      if (first === 'aborted') return this.#giveUp({ type: 'cancelled', proposal: id, reason: CANCELLED });
      if (first !== 'fulfilled') return first;
      return await this.#approved();
    } finally {
      late.stop();
      stop();
    }
  }

  /** Settles when it is approved. */
  #listen(): Promise<'fulfilled'> {
    return new Promise((resolve) => {
      this.#proposal.onStatus((update) => {
        if (update.type === 'status' && update.by === this.#participant.name)
          this.#wasBegun ||= update.status === 'processing';
        if (update.type !== 'fulfilled') return;
        this.#fulfilment = update;
        resolve('fulfilled');
        if (this.#isGivenUp) void this.disown();
      });
    });
  }

  async #approved(): Promise<Decision> {
    const { id, call } = this.#options;
    const { by = '', amendment = [], params, grant } = this.#fulfilment ?? {};
    if (this.#wasBegun) return await this.#unknown();
    const edited = amendment.length > 0;
    const args = edited ? (params?.['arguments'] ?? {}) : call.arguments;
    const how = grant === undefined ? { by } : { by, grant };
    return { type: 'approved', proposal: id, ...how, edited, arguments: args };
  }

  /** Withdraws it. If it is approved first, the approver is told that nothing was run. */
  #giveUp(why: NotRun): NotRun {
    this.#isGivenUp = true;
    this.#withdrawal.abort();
    void this.disown();
    return why;
  }

  /** Another process started it and may be gone: the space is told so at once, and a real answer still counts. */
  async #unknown(): Promise<NotRun> {
    await this.answer({ unknown: MAY_HAVE_RUN });
    return { type: 'unknown', proposal: this.#options.id, reason: MAY_HAVE_RUN };
  }
}

function timer(milliseconds: number): { readonly over: Promise<'late'>; readonly stop: () => void } {
  let handle: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<'late'>((resolve) => {
    handle = setTimeout(() => resolve('late'), milliseconds);
  });
  return { over, stop: () => clearTimeout(handle) };
}
