import { setTimeout as pause } from 'node:timers/promises';
import { ANSWERED_LATER, type Message, type Participant } from '@proffer/client';
import { type ApprovingRequest, answerApproval, notRunError } from '@proffer/client/own-calls';
import type { JsonObject } from '@proffer/core/json';
import { type AgentCall, isGateProposal, jsonArguments, proposalId } from './call.js';
import {
  type Allowed,
  type BlockedCall,
  CANCELLED,
  type GateDecision,
  NotRunError,
  notRun,
  type Ran,
  recordedOutput,
} from './decision.js';
import { GatewayLink } from './link.js';
import { completeOptions, type GateOptions, type GateSettings } from './options.js';
import { ask, type CallQuestion, claim, NOBODY_WAITS, type RunningCall } from './question.js';

/** How long another process of the agent has to take an approved call, in milliseconds. */
const GRACE = 3_000;

/**
 * Answers approvals of calls that no process of this agent waits for any more, such as those of one
 * that died and was not resumed: nothing was run. Another process under the same name may be waiting,
 * so it gets time to start; since starting and this answer need the same claim, both never happen.
 *
 * @param isKnown - whether this process waits for a proposal
 * @param hold - keeps the connection open; returns a function that releases it
 */
function answerStrays(
  participant: Participant,
  isKnown: (proposal: string) => boolean,
  hold: () => () => void,
): void {
  participant.on('message', ({ kind, to = [], from, id, correlationId }: Message) => {
    const isApproval = kind.startsWith('mcp.request.tools/call') && to.includes(participant.name);
    if (!isApproval || typeof correlationId !== 'string') return;
    if (!isGateProposal(correlationId) || isKnown(correlationId)) return;
    const release = hold();
    setTimeout(() => {
      void giveUp(participant, correlationId, { by: from, request: id })
        .catch(() => {})
        .finally(release);
    }, GRACE);
  });
}

async function giveUp(participant: Participant, proposal: string, approval: ApprovingRequest): Promise<void> {
  if (await claim(participant, proposal, 'give up'))
    await answerApproval(participant, approval, notRunError(NOBODY_WAITS));
}

const RUNS_ALREADY = 'Not run: this call is already running.';

/** After this time, in milliseconds, a call waits for a person: rules and grants answer sooner. */
const SOON = 500;

/** How long an approved call may stay unused after the last decision, in milliseconds. */
const UNUSED = 60_000;

/** The call must run now, once, and its result be recorded. */
export interface Admitted {
  readonly type: 'approved';
  readonly proposal: string;
  readonly by: string;
  readonly arguments: unknown;
  readonly edited: boolean;
  /** Records its result. Settles when that is in the journal; never fails. */
  readonly record: (output: unknown) => Promise<void>;
  /** Records that it failed; for a {@link NotRunError}, that it did not run. */
  readonly recordFailure: (error: unknown) => Promise<void>;
  /** Records nothing: the framework runs it, and will not say how it ended. It stays allowed (O-46). */
  readonly leave: () => void;
}

/** Asks Proffer about tool calls. All adapters build on this. */
export interface Gate extends AsyncDisposable {
  /**
   * Asks about a call, and waits. Never fails: any error is a decision not to run it. Asking again
   * about the same call, even from a restarted process, is the same question. An approval is used up by
   * {@link admit} or {@link run} of the same call, within a minute; otherwise the approver is told that
   * nothing was run.
   */
  decide(call: AgentCall): Promise<GateDecision>;
  /**
   * Asks about a call, waits, and claims it: from then on no other process runs it. Run it, and record
   * the result.
   */
  admit(call: AgentCall): Promise<Allowed | Admitted | Ran | BlockedCall>;
  /**
   * Asks about a call, waits, runs it with the approved arguments, and records the result. If it
   * already ran in a process that died, returns the result recorded there. Throws a {@link NotRunError}
   * if it must not run.
   */
  run<Output>(call: AgentCall, execute: (args: unknown) => Output | PromiseLike<Output>): Promise<Output>;
  /**
   * Stops waiting, for good. Pending questions stay open for the next process; approved calls that have
   * not started are not run.
   */
  close(): Promise<void>;
}

/** Connects to nothing until there is a call to ask about. */
export function createGate(options: GateOptions): Gate {
  return new ProfferGate(completeOptions(options));
}

interface Open {
  readonly question: CallQuestion;
  unused?: ReturnType<typeof setTimeout>;
}

class ProfferGate implements Gate {
  readonly #settings: GateSettings;
  readonly #link: GatewayLink;
  /** By proposal: waiting for a decision, approved and unused, or running. */
  readonly #open = new Map<string, Open>();
  /** Writes in flight. */
  readonly #recording = new Set<Promise<void>>();
  #deciding = 0;
  /** The gateway that was last named to the user. */
  #saidAt: string | undefined;
  #isClosed = false;

  constructor(settings: GateSettings) {
    this.#settings = settings;
    this.#link = new GatewayLink(settings.target, (participant) => {
      const hold = (): (() => void) => {
        this.#link.hold();
        return () => this.#link.leave();
      };
      answerStrays(participant, (proposal) => this.#open.has(proposal), hold);
    });
  }

  async decide(call: AgentCall): Promise<GateDecision> {
    const args = jsonArguments(call.arguments);
    if (args === undefined) return notRun(new Error('Its arguments cannot be written as JSON.'));
    if (!(await this.#isAsked({ tool: call.tool, arguments: args })))
      return { type: 'allowed', arguments: call.arguments };
    if (call.signal?.aborted === true || this.#isClosed) return { type: 'cancelled', reason: CANCELLED };
    if (this.#settings.isWatching()) {
      this.#observe(call.tool, args);
      return { type: 'allowed', arguments: call.arguments };
    }
    const { session: ours, origin, ttl, timeout } = this.#settings;
    const session = call.session ?? ours;
    this.#deciding += 1;
    try {
      const participant = await this.#enter(call.signal);
      if (participant === undefined) return { type: 'cancelled', reason: CANCELLED };
      const id = proposalId(participant.name, { ...call, session }, args);
      const known = this.#open.get(id);
      if (known !== undefined) {
        this.#link.leave();
        return await known.question.decision;
      }
      const asked = { ...origin, session: session.slice(0, 200) };
      const question = ask(participant, { id, call, arguments: args, origin: asked, ttl, timeout });
      const open: Open = { question };
      this.#open.set(id, open);
      const said = setTimeout(() => this.#sayWhere(call.tool), SOON).unref();
      const decision = await question.decision.finally(() => clearTimeout(said));
      if (decision.type === 'approved') this.#expectUse(id, open);
      else this.#end(id);
      return decision;
    } catch (error) {
      return notRun(error);
    } finally {
      this.#deciding -= 1;
    }
  }

  async admit(call: AgentCall): Promise<Allowed | Admitted | Ran | BlockedCall> {
    const decision = await this.decide(call);
    if (decision.type !== 'approved') return decision;
    const { proposal } = decision;
    const open = this.#open.get(proposal);
    if (open === undefined) return { type: 'cancelled', proposal, reason: CANCELLED };
    if (open.question.isTaken()) return { type: 'unknown', proposal, reason: RUNS_ALREADY };
    clearTimeout(open.unused);
    const begun = await open.question.begin();
    if (begun.type !== 'running') {
      this.#end(proposal);
      return begun;
    }
    const finish = (answer: Parameters<RunningCall['end']>[0]): Promise<void> => {
      const recorded = begun.end(answer).finally(() => {
        this.#recording.delete(recorded);
        this.#end(proposal);
      });
      this.#recording.add(recorded);
      return recorded;
    };
    return {
      ...decision,
      record: (output) => finish({ result: recordedOutput(output) }),
      recordFailure: (error) => finish(failureOf(error)),
      leave: () => void finish(ANSWERED_LATER),
    };
  }

  async run<Output>(
    call: AgentCall,
    execute: (args: unknown) => Output | PromiseLike<Output>,
  ): Promise<Output> {
    const admitted = await this.admit(call);
    if (admitted.type === 'allowed') return await execute(admitted.arguments);
    if (admitted.type === 'ran') return admitted.output as Output;
    if (admitted.type === 'failed') throw new Error(admitted.reason);
    if (admitted.type !== 'approved') throw new NotRunError(admitted);
    try {
      const output = await execute(admitted.arguments);
      // The agent continues while this is being recorded.
      void admitted.record(output);
      return output;
    } catch (error) {
      void admitted.recordFailure(error);
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { unused, question } of this.#open.values()) {
      clearTimeout(unused);
      await question.disown();
    }
    await Promise.race([
      Promise.all(this.#recording),
      pause(this.#settings.timeout, undefined, { ref: false }),
    ]);
    this.#open.clear();
    await this.#link.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #sayWhere(tool: string): void {
    const { at } = this.#link;
    if (at === undefined || this.#saidAt === at.url) return;
    this.#saidAt = at.url;
    this.#settings.onWaiting(tool, at);
  }

  /** Connecting may take a while; a caller that gives up does not wait for it. */
  async #enter(signal: AbortSignal | undefined): Promise<Participant | undefined> {
    const { aborted, stop } = whenAborted(signal);
    const entering = this.#link.enter();
    try {
      const entered = await Promise.race([entering, aborted]);
      if (entered !== 'aborted') return entered;
      entering.then(
        () => this.#link.leave(),
        () => {},
      );
      return undefined;
    } finally {
      stop();
    }
  }

  /** Records what would have been asked. The agent does not wait for that, and does not notice if it fails. */
  #observe(tool: string, args: JsonObject): void {
    const record = async (): Promise<void> => {
      const participant = await this.#link.enter();
      try {
        const payload = observedMessage(participant.name, tool, args);
        await participant.send({ kind: 'chat.message', to: [participant.name], payload });
      } finally {
        this.#link.leave();
      }
    };
    const recording = record()
      .catch(() => {})
      .finally(() => this.#recording.delete(recording));
    this.#recording.add(recording);
  }

  async #isAsked(call: Parameters<GateSettings['needsApproval']>[0]): Promise<boolean> {
    try {
      return await this.#settings.needsApproval(call);
    } catch {
      return true;
    }
  }

  /**
   * Others of the same turn may still be pending, and a framework runs approved calls only when all are
   * decided.
   */
  #expectUse(id: string, open: Open): void {
    open.unused = setTimeout(() => {
      if (this.#deciding > 0) return this.#expectUse(id, open);
      void open.question.disown().finally(() => this.#end(id));
    }, UNUSED);
  }

  #end(id: string): void {
    if (this.#open.delete(id)) this.#link.leave();
  }
}

/** Longer arguments are not recorded, in characters. */
const LONGEST = 4_000;

function observedMessage(server: string, tool: string, args: JsonObject): JsonObject {
  const isShort = JSON.stringify(args).length <= LONGEST;
  const call = {
    would: 'ask',
    // No rules decide about the calls of an adapter.
    open: [],
    tool,
    server,
    ...(isShort ? { arguments: args } : {}),
    at: new Date().toISOString(),
  };
  return { text: `Watched: someone would have been asked about ${tool}.`, observed: [call] };
}

/** JSON-RPC: internal error. */
const INTERNAL_ERROR = -32_603;

function failureOf(error: unknown): Parameters<RunningCall['end']>[0] {
  if (error instanceof NotRunError) return notRunError(error.message);
  const message = error instanceof Error ? error.message : String(error);
  return { error: { code: INTERNAL_ERROR, message } };
}

/**
 * Settles when a signal is aborted, at once if it already is; never without a signal. `stop` removes
 * the listener.
 */
function whenAborted(signal: AbortSignal | undefined): {
  readonly aborted: Promise<'aborted'>;
  readonly stop: () => void;
} {
  const listening = new AbortController();
  const aborted = new Promise<'aborted'>((resolve) => {
    if (signal?.aborted === true) resolve('aborted');
    signal?.addEventListener('abort', () => resolve('aborted'), { signal: listening.signal });
  });
  return { aborted, stop: () => listening.abort() };
}
