import type { OperationFailedError, Participant, ProposalPromise, Tool } from '@proffer/client';
import { diffJson, isJsonObject, type JsonObject, type JsonValue } from '@proffer/core';
import type { Clock } from '../clock.js';
import { type RpcAnswer, textAt } from '../json-rpc.js';
import { outcomeLost } from '../outcome-lost.js';
import { factsInArchive } from './archived-facts.js';
import { outcomeInArchive } from './archived-outcome.js';
import { type CallIds, createCallIds, qualifiedName } from './call-key.js';
import type { DeliveryStore } from './delivery-file.js';
import { errorToThrow, outcomeOfAnswer, outcomeOfFailure } from './failure-outcome.js';
import { GatedCall, type GatedCallFacts } from './gated-call.js';
import { keptResult } from './kept-result.js';
import { KnownCalls } from './known-calls.js';
import { leftBehind } from './left-behind.js';
import { NextRounds } from './next-rounds.js';
import { changeDenied, nobodyWaits, notProposed, notThisServer } from './not-run.js';
import type { Edited, Outcome } from './outcome.js';
import type { ProposalArchive } from './proposal-archive.js';

export interface DocketOptions {
  readonly participant: Participant;
  readonly archive: ProposalArchive;
  readonly server: string;
  /** Tells the server from another of the same name. */
  readonly identity: string;
  readonly clock: Clock;
  /** How long a proposal may wait for a decision, in milliseconds. */
  readonly ttl: number;
  /** How long a call without a caller waits for one to come back, in milliseconds. */
  readonly window: number;
  readonly deliveries: DeliveryStore;
  /** Why the rules do not allow a call as somebody changed it; nothing if they do. */
  readonly denial: (tool: string, args: JsonObject) => string | undefined;
}

/** How long after its time a proposal may still be said to have expired by the gateway, in milliseconds. */
const SLACK = 10_000;

/** How long the end waits for withdrawals, in milliseconds. */
const CLOSING = 1_500;

/** Calls that wait for a decision: one proposal each, however often it is asked for (O-3). */
export class Docket {
  readonly #options: DocketOptions;
  readonly #ids: CallIds;
  /** Those that the same call made again joins, by key. */
  readonly #joinable = new Map<string, GatedCall>();
  readonly #known = new KnownCalls({ onForgotten: (call) => this.#release(call) });
  readonly #proposals = new Map<string, ProposalPromise>();
  /** Approved calls that asked their callers for input. */
  readonly rounds = new NextRounds();
  /** How to call off what ends a call by itself, by proposal. */
  readonly #deadlines = new Map<string, () => void>();

  constructor(options: DocketOptions) {
    this.#options = options;
    const { participant, server, identity, clock } = options;
    this.#ids = createCallIds({ principal: participant.name, server, identity }, clock.now());
  }

  /** The call that waits for this decision: a new one, or the one that is there already. */
  gate(tool: string, args: JsonObject, scope?: string): GatedCall {
    const { clock, ttl } = this.#options;
    const key = this.#ids.key(tool, args, scope);
    const waiting = this.#joinable.get(key);
    if (waiting?.isOpen === true) return waiting;
    const createdAt = clock.now();
    const facts = { id: this.#ids.next(key), key, tool, arguments: args, createdAt };
    return this.#begin({ ...facts, expiresAt: createdAt + ttl }, ttl);
  }

  /** Settles when the call is in the journal or over. */
  async stored({ facts }: GatedCall): Promise<void> {
    await this.#proposals.get(facts.id)?.accepted.catch(() => {});
  }

  /** A call by its proposal, also one from before a restart; nothing if there is none of this scope. */
  async find(id: string, scope?: string): Promise<GatedCall | undefined> {
    const call = await this.#findAny(id);
    if (call === undefined) return undefined;
    const { tool, arguments: args, key } = call.facts;
    return this.#ids.key(tool, args, scope) === key ? call : undefined;
  }

  async #findAny(id: string): Promise<GatedCall | undefined> {
    const known = this.#known.get(id);
    if (known !== undefined || !this.#ids.isOwn(id)) return known;
    const archived = await this.#options.archive.find(id);
    if (archived === undefined || archived.proposal['proposer'] !== this.#options.participant.name)
      return undefined;
    // Somebody else may have asked for it in the meantime.
    return this.#known.get(id) ?? this.#revive(archived.proposal, outcomeInArchive(archived), {});
  }

  /**
   * Takes over what an earlier run left behind: what is pending waits for its caller to come back, and
   * whoever asks again for what ended, or was running, without anybody having heard how, learns that.
   */
  async adopt(): Promise<void> {
    const { archive, participant, deliveries, window, clock } = this.#options;
    const { name: proposer, welcome } = participant;
    const { isOwn } = this.#ids;
    const about = { archive, proposer, isOwn, seq: welcome.seq, delivered: deliveries.load(), window };
    for await (const { proposal, outcome, ...joined } of leftBehind({ ...about, now: clock.now() })) {
      if (!this.#known.has(textAt(proposal, 'id'))) this.#revive(proposal, outcome, joined);
    }
  }

  /** The tool that runs what was approved, for the space. */
  executor(tool: string, definition: JsonObject): Tool {
    const { participant, server } = this.#options;
    const { description, inputSchema, annotations } = definition;
    return {
      name: qualifiedName(participant.name, server, tool),
      ...(typeof description === 'string' ? { description } : {}),
      ...(isJsonObject(inputSchema) ? { inputSchema } : {}),
      ...(isJsonObject(annotations) ? { annotations } : {}),
      handler: (args, { proposal, from }) => this.#execute(tool, args, { proposal, from }),
    };
  }

  /** Takes back what waits, except for tasks, for a reason that is nobody's no. */
  async withdrawAll(reason: string): Promise<void> {
    const withdrawals = [...this.#joinable.values()]
      .filter(({ outcome, isRunning, isTask }) => outcome === undefined && !isRunning && !isTask)
      .flatMap(({ facts }) => this.#proposals.get(facts.id)?.withdraw(reason) ?? []);
    // A gateway that cannot be reached is no reason to stay: what is left expires.
    const patience = new Promise<void>((resolve) => this.#options.clock.after(CLOSING, resolve));
    await Promise.race([Promise.allSettled(withdrawals), patience]);
  }

  /** The caller does not want it any more. What has begun goes on. */
  cancel(call: GatedCall, reason: string): void {
    if (call.outcome !== undefined || call.isRunning) return;
    call.giveUp();
    this.#proposals
      .get(call.facts.id)
      ?.withdraw(reason)
      .catch(() => {});
  }

  #begin(facts: GatedCallFacts, ttl: number | undefined): GatedCall {
    const call = this.#keep(facts);
    this.#makeJoinable(call);
    const { participant, server } = this.#options;
    const name = qualifiedName(participant.name, server, facts.tool);
    const proposal = participant.propose(
      'tools/call',
      { name, arguments: facts.arguments },
      { id: facts.id, failOnFirstRejection: true, ...(ttl === undefined ? {} : { ttl }) },
    );
    this.#proposals.set(facts.id, proposal);
    this.#setDeadline(call);
    proposal.onStatus((update) => {
      if (update.type === 'status') call.said = `${update.by} is ${update.status}`;
    });
    proposal.then(
      (result) =>
        this.#finish(call, { type: 'ran', result: isJsonObject(result) ? result : {}, by: '', edit: [] }),
      (error: unknown) => {
        // What runs here ends here, whatever the gateway could see of it, and also when there is none any more.
        if (!call.isRunning) this.#finish(call, outcomeOfFailure(error));
      },
    );
    return call;
  }

  /** A gateway that does not say that the time is over does not keep the caller waiting for ever (O-19). */
  #setDeadline(call: GatedCall): void {
    const { id, expiresAt } = call.facts;
    const { clock } = this.#options;
    if (expiresAt === undefined) return;
    const stop = clock.after(Math.max(0, expiresAt - clock.now()) + SLACK, () => {
      if (call.outcome === undefined && !call.isRunning) this.#finish(call, { type: 'expired' });
    });
    this.#deadlines.set(id, stop);
  }

  #revive(
    proposal: JsonObject,
    outcome: Outcome | undefined,
    joined: { readonly window?: number },
  ): GatedCall {
    const { participant, server, clock } = this.#options;
    const facts = factsInArchive(proposal, qualifiedName(participant.name, server, ''), clock.now());
    const { createdAt, expiresAt } = facts;
    if (outcome === undefined) {
      return this.#begin(facts, expiresAt === undefined ? undefined : expiresAt - createdAt);
    }
    const call = this.#keep(facts, joined.window);
    if (joined.window !== undefined) this.#makeJoinable(call);
    call.isEarlier = true;
    this.#finish(call, outcome);
    return call;
  }

  #keep(facts: GatedCallFacts, window = this.#options.window): GatedCall {
    const { clock } = this.#options;
    const call = new GatedCall(facts, {
      clock,
      window,
      onGone: () => this.#abandon(call),
      onDelivered: () => this.deliver(call),
    });
    this.#known.add(call);
    return call;
  }

  /** One that waits stays the one to join, also when there is another. */
  #makeJoinable(call: GatedCall): void {
    const { key } = call.facts;
    if (this.#joinable.get(key)?.isOpen !== true) this.#joinable.set(key, call);
  }

  #finish(call: GatedCall, outcome: Outcome): void {
    call.finish(outcome);
    this.#known.end(call);
    this.#proposals.delete(call.facts.id);
    this.#deadlines.get(call.facts.id)?.();
    this.#deadlines.delete(call.facts.id);
  }

  /** Somebody has the outcome of this one: the same call made again is a new one from now on, also after a restart. */
  deliver(call: GatedCall): void {
    if (!call.isDelivered) this.#options.deliveries.note(call.facts.id);
    call.isDelivered = true;
    this.#release(call);
  }

  #release(call: GatedCall): void {
    if (this.#joinable.get(call.facts.key) === call) this.#joinable.delete(call.facts.key);
  }

  /** Nobody came back: what has not begun is withdrawn, so that it cannot run afterwards. */
  #abandon(call: GatedCall): void {
    this.#release(call);
    if (call.outcome === undefined) this.cancel(call, 'the caller went away');
  }

  /** Only a request for the tool that was proposed is an approval; any other merely mentions the proposal (O-11). */
  async #execute(
    tool: string,
    args: JsonObject,
    { proposal, from: by }: { readonly proposal: string | undefined; readonly from: string },
  ): Promise<JsonValue> {
    const call = proposal === undefined ? undefined : this.#known.get(proposal);
    const isForeign = proposal !== undefined && this.#ids.isForeign(proposal);
    if (call === undefined || call.facts.tool !== tool) throw isForeign ? notThisServer() : notProposed();
    if (call.outcome !== undefined || call.isRunning) throw nobodyWaits();
    // Whoever came may have left, or called it off, before this goes on: so it is looked at anew each time.
    while (call.isUnattended) await call.attended();
    // Two approvals may have waited for the caller: only one of them runs it.
    if (call.outcome !== undefined || call.isRunning) throw nobodyWaits();
    const { caller } = call;
    if (caller === undefined) {
      this.#finish(call, { type: 'withdrawn', reason: 'the caller went away' });
      throw nobodyWaits();
    }
    const edit = diffJson(call.facts.arguments, args);
    const denial = edit.length === 0 ? undefined : this.#options.denial(tool, args);
    if (denial !== undefined) {
      this.#finish(call, { type: 'denied', reason: denial });
      throw changeDenied(denial);
    }
    call.begin();
    let answer: RpcAnswer;
    try {
      answer = await caller.run({ by, arguments: args, edit });
    } catch (error) {
      throw this.#loseOutcome(call, error, { by, edit });
    }
    this.#finish(call, outcomeOfAnswer(answer, { by, edit }));
    if ('error' in answer) throw errorToThrow(answer.error);
    return keptResult(answer.result);
  }

  /** Nobody can know whether it ended: said to everybody at once, and never run again by itself (O-23). */
  #loseOutcome(call: GatedCall, error: unknown, edited: Edited): OperationFailedError {
    const why = error instanceof Error ? error.message : String(error);
    this.#finish(call, { type: 'unknown', why, ...edited });
    const text = `The outcome of ${call.facts.id} is unknown: ${why} It may have run or not, and is not run again by itself.`;
    return outcomeLost(text);
  }
}
