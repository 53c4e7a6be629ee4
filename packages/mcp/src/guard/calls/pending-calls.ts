import {
  approvedRound,
  askedCall,
  type CallState,
  endedCall,
  isBefore,
  isOpen,
  OwnCall,
  outcomeOf,
} from '@proffer/client/own-calls';
import type { ToolCall, ToolResult } from '@proffer/client/participation';
import { defined, type JsonObject } from '@proffer/core/json';
import type { Origin } from '@proffer/core/operations';
import { notProposed, notThisServer } from '../answers.js';
import { type CallIds, createCallIds, type GatedCallFacts } from '../call-identity.js';
import { keptResult } from '../kept-result.js';
import {
  type AdoptedCall,
  type CallJournal,
  type CallMemory,
  callsLeftBehind,
  callsOfSiblings,
  factsOf,
  outcomeInArchive,
  type Successor,
} from '../recovery/index.js';
import { createAwayMarks, ParkedCallers } from './absent-callers.js';
import { CallLimits, KnownCalls, OrphanedCalls } from './known-calls.js';
import { type GatedCall, proposeCall } from './propose-call.js';
import { type ApprovedRound, isLaterRound, NextRounds, reportRoundUnknown } from './rounds.js';

/** The caller of a call. */
interface CallOrigin {
  /** Only callers of the same scope join a call. */
  readonly scope?: string | undefined;
  readonly origin?: Origin | undefined;
}

/** Options for the calls of one server that wait for a decision. */
interface PendingCallsOptions extends Successor {
  /** How long a proposal may wait for a decision, in milliseconds. */
  readonly ttl: number;
  /** Stores what must be known about calls after this process was killed. */
  readonly journal: CallJournal;
  /** Why the rules do not allow a call as a reviewer changed it; `undefined` if they do. */
  readonly denial: (tool: string, args: JsonObject) => string | undefined;
}

/** How long a gateway takes to declare the outcomes of a dead guard unknown, in milliseconds. */
const DECLARED_BY = 3_000;

/** How long closing waits for withdrawals, in milliseconds. */
const CLOSING = 1_500;

/** Calls that wait for a decision: one proposal each, however often a call is repeated (O-3). */
export class PendingCalls {
  readonly #options: PendingCallsOptions;
  readonly #ids: CallIds;
  /** The calls that a repeated call joins, by key. */
  readonly #joinable = new Map<string, GatedCall>();
  readonly #known = new KnownCalls({ onForgotten: (call) => this.#release(call) });
  readonly #promises = new WeakMap<GatedCall, Promise<void>>();
  readonly #markAway: (call: GatedCall) => void;
  /** Approved calls that asked their callers for input. */
  readonly rounds = new NextRounds();
  /** Tasks that a client with single requests cancelled while others wait for the same call. */
  readonly calledOff = new WeakSet<GatedCall>();
  /** Callers without sessions that have an answer: they count as present although they have no connection. */
  readonly parked = new ParkedCallers();
  readonly #orphans = new OrphanedCalls();
  readonly #room = new CallLimits();

  #stopAdopting = (): void => {};

  constructor(options: PendingCallsOptions) {
    this.#options = options;
    const { participant, server, identity, clock } = options;
    this.#markAway = createAwayMarks(options);
    this.#ids = createCallIds({ principal: participant.name, server, identity }, clock.now());
  }

  /** Why a call cannot wait for a decision now; `undefined` if it can, or joins one that does. */
  limitOn(tool: string, args: JsonObject, scope?: string): string | undefined {
    const limit = this.#room.limitOn(args);
    if (limit === undefined) return undefined;
    return this.#joinable.get(this.#ids.key(tool, args, scope))?.isOpen === true ? undefined : limit;
  }

  /** The call that waits for this decision: a new one, or an existing one. */
  gate(tool: string, args: JsonObject, { scope, origin }: CallOrigin = {}): GatedCall {
    const { clock, ttl } = this.#options;
    const key = this.#ids.key(tool, args, scope);
    const waiting = this.#joinable.get(key);
    if (waiting?.isOpen === true) return waiting;
    const orphan = this.#orphans.find(this.#ids.key(tool, args), origin);
    if (orphan !== undefined) return orphan;
    const createdAt = clock.now();
    const facts = {
      id: this.#ids.next(key),
      key,
      tool,
      arguments: args,
      createdAt,
      expiresAt: createdAt + ttl,
    };
    return this.#ask({ ...facts, ...defined({ origin }) }, { ttl });
  }

  /**
   * The next round of an approved call (2026-07-28), for the callers that join it: tracked, joined and ended like the
   * call itself. Its approver was already answered: this outcome goes to the waiting callers.
   */
  resume({ facts, by, approved }: ApprovedRound): GatedCall {
    const now = this.#options.clock.now();
    const begun = { ...facts, createdAt: now };
    return this.#keep(approvedRound(begun, { number: 0, by, arguments: approved }, now), {
      isJoinable: true,
    });
  }

  /** A round that was started and whose outcome was not delivered. */
  resumed({ facts }: ApprovedRound): GatedCall | undefined {
    const call = this.#known.get(facts.id);
    return call?.facts.round === facts.round && call.isOpen && !call.state.isHeard ? call : undefined;
  }

  /** Whether a repeated call is told that the outcome of the first is unknown. */
  isUnknown(tool: string, args: JsonObject, scope?: string): boolean {
    const call = this.#joinable.get(this.#ids.key(tool, args, scope));
    return call?.isOpen === true && call.state.phase.type === 'unknown';
  }

  /** Resolves when the promise about the call is on disk: only then may anyone be told (I-1). */
  async kept(call: GatedCall): Promise<void> {
    await this.#promises.get(call);
  }

  /** A call by its proposal, also from before a restart; `undefined` if there is none in this scope. */
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
    // Someone else may have asked for it in the meantime.
    return (
      this.#known.get(id) ??
      this.#revive({ facts: factsOf(archived.proposal, this.#options), outcome: outcomeInArchive(archived) })
    );
  }

  /** Takes over what an earlier run of this guard, or another guard of the same server, left behind. */
  async adopt(): Promise<void> {
    const { journal, clock } = this.#options;
    const memory = await journal.load();
    for await (const left of callsLeftBehind(this.#options, memory, this.#ids)) this.#adopt(left);
    await this.#adoptFromSiblings(memory);
    const again = async (): Promise<void> => await this.#adoptFromSiblings(await journal.load());
    // A call that just ran under another name is not declared unknown before its guard counts as gone.
    this.#stopAdopting = clock.after(DECLARED_BY, () => void again().catch(() => {}));
  }

  async #adoptFromSiblings(memory: CallMemory): Promise<void> {
    for await (const left of callsOfSiblings(this.#options, memory)) this.#adopt(left);
  }

  #adopt(left: AdoptedCall): void {
    if (this.#known.has(left.facts.id)) return;
    const { facts } = this.#revive(left);
    if (left.isUndeclared === true && isLaterRound(facts)) reportRoundUnknown(this.#options, facts);
  }

  /** Calls waiting for a decision. */
  pending(): readonly GatedCall[] {
    return [...this.#joinable.values()].filter(({ state }) => isBefore(state.phase));
  }

  /**
   * Withdraws waiting calls without a rejection, except for tasks and those that were promised to wait. The guard
   * leaves, so it takes over nothing more.
   */
  async withdrawAll(reason: string): Promise<{ readonly begun: number }> {
    this.#stopAdopting();
    const waiting = this.pending().filter(({ state }) => !state.isTask && !state.isPromised);
    const withdrawals = waiting.map((call) => call.withdraw(reason));
    // An unreachable gateway is no reason to stay: what is left expires.
    const patience = new Promise<void>((resolve) => this.#options.clock.after(CLOSING, resolve));
    await Promise.race([Promise.all(withdrawals), patience]);
    return { begun: this.#known.begun() };
  }

  /** Proposes a call in the space. */
  #ask(
    facts: GatedCallFacts,
    { ttl, isPromised }: { readonly ttl?: number; readonly isPromised?: boolean | undefined },
  ): GatedCall {
    const asked = askedCall(facts, this.#options.clock.now(), isPromised);
    const call = this.#keep(asked, { isJoinable: true });
    this.#room.enter(call);
    proposeCall(this.#options, call, ttl);
    this.#markAway(call);
    return call;
  }

  /** @param left - one without a window is not joined by a repeated call */
  #revive(left: Omit<AdoptedCall, 'window'> & { readonly window?: number }): GatedCall {
    const { facts, outcome, window, isPromised } = left;
    const { createdAt, expiresAt } = facts;
    if (outcome === undefined)
      return this.#ask(facts, {
        isPromised,
        ...(expiresAt === undefined ? {} : { ttl: expiresAt - createdAt }),
      });
    const ended = endedCall(facts, outcome, this.#options.clock.now());
    const call = this.#keep(ended, { isJoinable: window !== undefined, ...defined({ window }) });
    this.#known.end(call);
    if (window !== undefined) this.#noteUnknown(call);
    return call;
  }

  #keep(
    state: CallState<GatedCallFacts>,
    { isJoinable, window = this.#options.window }: { readonly isJoinable: boolean; readonly window?: number },
  ): GatedCall {
    const { clock, denial, journal } = this.#options;
    const { facts } = state;
    const call: GatedCall = new OwnCall(state, {
      clock,
      window,
      denial: (args) => denial(facts.tool, args),
      kept: keptResult,
      beforeRun: async () => {
        if (isLaterRound(facts)) await journal.keep({ type: 'began', id: facts.id, round: facts.round });
      },
      onChange: (before) => this.#changed(call, before),
    });
    this.#known.add(call);
    // A waiting call remains the one to join, even if there is another.
    if (isJoinable && this.#joinable.get(facts.key)?.isOpen !== true) this.#joinable.set(facts.key, call);
    return call;
  }

  #changed(call: GatedCall, before: CallState): void {
    const { state } = call;
    const { id, round } = call.facts;
    if ((before.callers.length === 0) !== (state.callers.length === 0)) this.#markAway(call);
    if (outcomeOf(before) === undefined && outcomeOf(state) !== undefined) this.#ended(call);
    // Once the outcome was delivered, a repeated call is a new one, even after a restart.
    if (!before.isHeard && state.isHeard)
      this.#options.journal.note({ type: 'heard', id, ...defined({ round }) });
    if (!before.isPromised && state.isPromised)
      this.#promises.set(call, this.#options.journal.keep({ type: 'promised', id }));
    if (state.isHeard || !isOpen(state)) this.#release(call);
  }

  #ended(call: GatedCall): void {
    const { facts, state } = call;
    this.#known.end(call);
    this.#room.leave(call);
    this.#noteUnknown(call);
    if (state.phase.type === 'unknown' && isLaterRound(facts)) reportRoundUnknown(this.#options, facts);
  }

  #noteUnknown(call: GatedCall): void {
    if (call.state.phase.type === 'unknown') this.#orphans.add(this.#unscopedKey(call), call);
  }

  #unscopedKey({ facts }: GatedCall): string {
    return this.#ids.key(facts.tool, facts.arguments);
  }

  #release(call: GatedCall): void {
    if (this.#joinable.get(call.facts.key) === call) this.#joinable.delete(call.facts.key);
    if (call.state.phase.type === 'unknown') this.#orphans.delete(this.#unscopedKey(call), call);
  }

  /**
   * Runs what was approved. Only a request for the tool that was proposed is an approval; any other merely mentions the
   * proposal (O-11).
   */
  async execute(
    tool: string,
    args: JsonObject,
    { proposal, from: by }: Pick<ToolCall, 'proposal' | 'from'>,
  ): Promise<ToolResult> {
    const call = proposal === undefined ? undefined : this.#known.get(proposal);
    const isForeign = proposal !== undefined && this.#ids.isForeign(proposal);
    if (call === undefined || call.facts.tool !== tool) throw isForeign ? notThisServer() : notProposed();
    return await call.approve({ by, arguments: args });
  }
}
