import type { ToolCall } from '@proffer/client';
import { isJsonObject, type JsonObject, type JsonValue } from '@proffer/core';
import { textAt } from '../../json-rpc.js';
import { type CallIds, createCallIds, type GatedCallFacts, qualifiedName } from '../asked/index.js';
import {
  CALLED_OFF,
  notProposed,
  notThisServer,
  type Outcome,
  outcomeOfFailure,
  WENT_AWAY,
} from '../outcomes/index.js';
import { factsInArchive, leftBehind, leftBySiblings, outcomeInArchive } from '../recovery/index.js';
import {
  type ApprovedRound,
  leftRounds,
  markOfBeginning,
  markOfDelivery,
  markOfNotice,
  NextRounds,
  sayRoundUnknown,
} from '../rounds/index.js';
import { createAwayMarks } from './away-marks.js';
import { Deadlines } from './deadlines.js';
import type { DocketOptions } from './docket-options.js';
import { type Approval, GatedCall } from './gated-call.js';
import { KnownCalls } from './known-calls.js';
import { OpenProposals } from './open-proposals.js';
import { proposeCall } from './propose-call.js';
import { runApproved } from './run-approved.js';
import { WaitingRoom } from './waiting-room.js';

/** By when a gateway has said of what a guard ran that died that its outcome is unknown, in milliseconds. */
const DECLARED_BY = 3_000;

/** Calls that wait for a decision: one proposal each, however often it is asked for (O-3). */
export class Docket {
  readonly #options: DocketOptions;
  readonly #ids: CallIds;
  /** Those that the same call made again joins, by key. */
  readonly #joinable = new Map<string, GatedCall>();
  readonly #known = new KnownCalls({ onForgotten: (call) => this.#release(call) });
  readonly #proposals: OpenProposals;
  readonly #markAway: (call: GatedCall) => void;
  /** Approved calls that asked their callers for input. */
  readonly rounds = new NextRounds();
  /** Tasks that a client which comes with one request and goes called off, while others wait for the same call. */
  readonly calledOff = new WeakSet<GatedCall>();
  readonly #deadlines: Deadlines;
  readonly #room = new WaitingRoom();

  constructor(options: DocketOptions) {
    this.#options = options;
    const { participant, server, identity, clock } = options;
    this.#deadlines = new Deadlines(clock);
    this.#proposals = new OpenProposals(clock);
    this.#markAway = createAwayMarks(options);
    this.#ids = createCallIds({ principal: participant.name, server, identity }, clock.now());
  }

  /** Why a call cannot wait for a decision now; nothing if it can, or joins one that does. */
  limitOn(tool: string, args: JsonObject, scope?: string): string | undefined {
    const limit = this.#room.limitOn(args);
    if (limit === undefined) return undefined;
    return this.#joinable.get(this.#ids.key(tool, args, scope))?.isOpen === true ? undefined : limit;
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

  /**
   * The next round of what somebody approved (2026-07-28), for whoever joins it: known, joined and ended like the call
   * itself, and kept before the server is asked, so that nobody is told later that nothing was run.
   */
  resume({ facts, by, approved }: ApprovedRound): GatedCall {
    const call = this.#keep({ ...facts, createdAt: this.#options.clock.now() });
    this.#makeJoinable(call);
    this.#options.deliveries.keep(markOfBeginning(facts));
    // Whoever approved it has an answer already: this one goes to those who wait for it.
    this.#run(call, { by, arguments: approved }).catch(() => {
      if (call.outcome?.type === 'unknown') sayRoundUnknown(this.#options, facts);
    });
    return call;
  }

  /** A round that was begun, if nobody has heard how it ended. */
  resumed({ facts }: ApprovedRound): GatedCall | undefined {
    const call = this.#known.get(facts.id);
    return call?.facts.round === facts.round && call.isOpen && !call.isDelivered ? call : undefined;
  }

  /** Whether the same call made again is told that nobody can say how the first ended. */
  isUnknown(tool: string, args: JsonObject, scope?: string): boolean {
    const call = this.#joinable.get(this.#ids.key(tool, args, scope));
    return call?.isOpen === true && call.outcome?.type === 'unknown';
  }

  /** Settles when the call is in the journal or over. */
  async stored({ facts }: GatedCall): Promise<void> {
    await this.#proposals.stored(facts.id);
  }

  /** A call by its proposal, also one from before a restart; nothing if there is none of this scope. */
  async find(id: string, scope?: string): Promise<GatedCall | undefined> {
    const call = await this.#findAny(id);
    if (call === undefined) return undefined;
    const { tool, arguments: args, key } = call.facts;
    return this.#ids.key(tool, args, scope) === key ? call : undefined;
  }

  /** A call of this run by its proposal, as long as it is known. */
  known(id: string): GatedCall | undefined {
    return this.#known.get(id);
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
    for await (const { proposal, outcome, round } of leftRounds(about)) {
      const facts = { ...this.#factsIn(proposal), round };
      if (this.#known.has(facts.id)) continue;
      this.#keepEnded(facts, outcome, this.#options);
      if (!about.delivered.has(markOfNotice(facts))) sayRoundUnknown(this.#options, facts);
    }
    await this.#adoptFromSiblings();
    // What ran under another name until just now is not said to be unknown before its guard counts as gone.
    clock.after(DECLARED_BY, () => void this.#adoptFromSiblings().catch(() => {}));
  }

  async #adoptFromSiblings(): Promise<void> {
    const { archive, participant, server, identity, deliveries, clock } = this.#options;
    const about = { archive, proposer: participant.name, server, identity, delivered: deliveries.load() };
    for await (const { facts, proposal } of leftBySiblings({ ...about, now: clock.now() })) {
      const outcome = outcomeInArchive({ proposal, messages: [] });
      if (outcome !== undefined && !this.#known.has(facts.id)) this.#keepEnded(facts, outcome, this.#options);
    }
  }

  /** Takes back what waits, except for tasks, for a reason that is nobody's no. */
  async withdrawAll(reason: string): Promise<void> {
    const waiting = [...this.#joinable.values()].filter(
      ({ outcome, isRunning, isTask }) => outcome === undefined && !isRunning && !isTask,
    );
    const ids = waiting.map(({ facts }) => facts.id);
    await this.#proposals.withdrawAll(ids, reason);
  }

  /** A caller does not want it any more: it is withdrawn at once, unless somebody else does. */
  callOff(call: GatedCall): void {
    if (call.isUnattended && !call.isTask) this.cancel(call, CALLED_OFF);
  }

  /** Nobody wants it any more. What has begun goes on. */
  cancel(call: GatedCall, reason: string): void {
    if (call.outcome !== undefined || call.isRunning) return;
    call.giveUp(reason);
    void this.#proposals.withdraw(call.facts.id, reason);
  }

  #begin(facts: GatedCallFacts, ttl: number | undefined): GatedCall {
    const call = this.#keep(facts);
    this.#makeJoinable(call);
    this.#room.enter(call);
    const proposal = proposeCall(this.#options, call, ttl);
    this.#proposals.add(facts.id, proposal);
    this.#markAway(call);
    this.#deadlines.set(call, () => this.#finish(call, { type: 'expired' }));
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

  #revive(
    proposal: JsonObject,
    outcome: Outcome | undefined,
    joined: { readonly window?: number },
  ): GatedCall {
    const facts = this.#factsIn(proposal);
    const { createdAt, expiresAt } = facts;
    if (outcome === undefined) {
      return this.#begin(facts, expiresAt === undefined ? undefined : expiresAt - createdAt);
    }
    return this.#keepEnded(facts, outcome, joined);
  }

  #factsIn(proposal: JsonObject): GatedCallFacts {
    const { participant, server, clock } = this.#options;
    return factsInArchive(proposal, qualifiedName(participant.name, server, ''), clock.now());
  }

  #keepEnded(facts: GatedCallFacts, outcome: Outcome, joined: { readonly window?: number }): GatedCall {
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
      onAttendance: () => this.#markAway(call),
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
    this.#deadlines.clear(call);
    this.#room.leave(call);
  }

  /** Somebody has the outcome of this one: the same call made again is a new one from now on, also after a restart. */
  deliver(call: GatedCall): void {
    if (!call.isDelivered) this.#options.deliveries.note(markOfDelivery(call.facts));
    call.isDelivered = true;
    this.#release(call);
  }

  #release(call: GatedCall): void {
    if (this.#joinable.get(call.facts.key) === call) this.#joinable.delete(call.facts.key);
  }

  /** Nobody came back: what has not begun is withdrawn, so that it cannot run afterwards. */
  #abandon(call: GatedCall): void {
    this.#release(call);
    if (call.outcome === undefined) this.cancel(call, WENT_AWAY);
  }

  /**
   * Runs what was approved. Only a request for the tool that was proposed is an approval; any other merely mentions the
   * proposal (O-11).
   */
  async execute(
    tool: string,
    args: JsonObject,
    { proposal, from: by }: Pick<ToolCall, 'proposal' | 'from'>,
  ): Promise<JsonValue> {
    const call = proposal === undefined ? undefined : this.#known.get(proposal);
    const isForeign = proposal !== undefined && this.#ids.isForeign(proposal);
    if (call === undefined || call.facts.tool !== tool) throw isForeign ? notThisServer() : notProposed();
    return await this.#run(call, { by, arguments: args });
  }

  async #run(call: GatedCall, approval: Omit<Approval, 'edit'>): Promise<JsonValue> {
    const denial = (changed: JsonObject) => this.#options.denial(call.facts.tool, changed);
    return await runApproved(call, approval, { denial, finish: (outcome) => this.#finish(call, outcome) });
  }
}
