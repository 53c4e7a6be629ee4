import { textOf } from '@proffer/core/json';
import { describeRule, type RuleDecision } from '@proffer/steward';
import { answerTo, INVALID_PARAMS, objectAt, type RpcAnswer, type RpcId, requestOf } from '../../json-rpc.js';
import { answerFor, deniedResult, notAccepted, notListed, unknownCall, wentWrong } from '../answers.js';

import {
  type ApprovedRound,
  bringsAnswers,
  type GatedCall,
  isApproved,
  NOT_ASKED_FOR,
} from '../calls/index.js';
import { decideCall } from '../decisions/index.js';
import { asHeld, asIfAsked, type GuardedToolCall, limitOnCall } from '../tool-call.js';
import { ACCEPT_TOOL, WAIT_TOOL } from '../wait-tool.js';
import type { CallHandlingOptions, Holding } from './holding.js';

const CHANGED = 'The tool has changed since it was first seen.';

/** Tool calls on one connection: passed on, denied, or held until someone has decided. */
export class CallHandling {
  readonly #options: CallHandlingOptions;
  readonly #holding: Holding;

  constructor(options: CallHandlingOptions, holding: Holding) {
    this.#options = options;
    this.#holding = holding;
  }

  /** Handles a call as soon as something else is ready, unless it is cancelled before that. */
  takeAfter(ready: Promise<void>, id: RpcId, call: GuardedToolCall): void {
    const release = this.#holding.held.hold(id);
    const taking = async (): Promise<void> => {
      await ready;
      if (release()) this.take(id, call);
    };
    this.#answerIfItFails(id, taking());
  }

  take(id: RpcId, call: GuardedToolCall): void {
    const { toolbook, pendingCalls, records, forward, scope, settings } = this.#options;
    if (call.tool === WAIT_TOOL) return this.#answerIfItFails(id, this.#wait(id, call));
    if (call.tool === ACCEPT_TOOL) return this.#answerIfItFails(id, this.#accept(id, call));
    const taken = pendingCalls.rounds.take(call, this.#holding.owner);
    const begun = taken?.isTaken === true && isApproved(taken.round) && pendingCalls.resumed(taken.round);
    if (begun) return this.#answerIfItFails(id, this.#join(id, call, begun));
    const round = taken?.isTaken === true ? undefined : taken?.round;
    const args = round?.approved ?? call.arguments;
    const decision = decideCall(this.#options, call.tool, args, call.params);
    const { action, reason, rule } = decision;
    if (settings.isWatching() && !isApproved(round)) return this.#watch(id, call, decision);
    if (action === 'deny') {
      const result = deniedResult(reason, rule === undefined ? undefined : describeRule(rule), call);
      this.#answer(id, { result });
      return records.note({ tool: call.tool, arguments: args, decision });
    }
    if (isApproved(round)) return this.#answerIfItFails(id, this.#goOn(id, call, round));
    const isAllowed = action === 'allow' && !toolbook.isUntrusted(call.tool);
    // No reviewer sees them, so they are only for what was already decided.
    if (bringsAnswers(call) && (round === undefined || !isAllowed)) {
      if (pendingCalls.isUnknown(call.tool, args, scope))
        return this.#answerIfItFails(id, this.#gate(id, call));
      return this.#answer(id, { error: { code: INVALID_PARAMS, message: NOT_ASKED_FOR } });
    }
    if (isAllowed) {
      const own = { tool: call.tool, asked: args, approved: args, edit: [], owner: this.#holding.owner };
      forward(requestOf(id, 'tools/call', call.params), (result) => pendingCalls.rounds.expect(own, result));
      return records.note({ tool: call.tool, arguments: args, decision });
    }
    const limit = limitOnCall(call) ?? pendingCalls.limitOn(call.tool, args, scope);
    if (limit !== undefined) return this.#answer(id, answerFor({ type: 'unavailable', why: limit }, call));
    const isOffered = toolbook.isOffered(call.tool);
    this.#answerIfItFails(id, isOffered ? this.#gate(id, call) : this.#gateUnlisted(id, call));
  }

  /** Passes a call on whatever the rules say, and records what would have become of it (O-50). */
  #watch(id: RpcId, { tool, arguments: args, params }: GuardedToolCall, decided: RuleDecision): void {
    const { toolbook, records, forward } = this.#options;
    const isUntrusted = decided.action === 'allow' && toolbook.isUntrusted(tool);
    const decision: RuleDecision = isUntrusted ? { ...decided, action: 'ask', reason: CHANGED } : decided;
    const reads = toolbook.annotations(tool)?.['readOnlyHint'] === true;
    forward(requestOf(id, 'tools/call', params));
    records.note({ tool, arguments: args, decision, watched: reads ? { reads } : {} });
  }

  /** The next round of an approved call: it runs with the approved arguments and no others. */
  async #goOn(id: RpcId, call: GuardedToolCall, round: ApprovedRound): Promise<void> {
    await this.#holding.hold(
      id,
      { ...call, arguments: round.asked },
      this.#options.pendingCalls.resume(round),
    );
  }

  async #gate(id: RpcId, call: GuardedToolCall): Promise<void> {
    const { pendingCalls, scope, noticeMeta } = this.#options;
    noticeMeta(objectAt(call.params, '_meta'));
    const origin = this.#options.origin(call.params);
    const gated = pendingCalls.gate(call.tool, call.arguments, { scope, origin });
    await this.#join(id, asHeld(call, gated.facts), gated);
  }

  async #join(id: RpcId, asked: GuardedToolCall, call: GatedCall): Promise<void> {
    await this.#holding.hold(
      id,
      asked,
      call,
      call.state.isEarlier ? { madeBefore: call.facts.createdAt } : {},
    );
  }

  async #gateUnlisted(id: RpcId, call: GuardedToolCall): Promise<void> {
    const release = this.#holding.held.hold(id);
    const isOffered = await this.#options.toolbook.offer(call.tool);
    if (!release()) return;
    if (isOffered) return await this.#gate(id, call);
    this.#answer(id, { result: notListed(call) });
  }

  async #wait(id: RpcId, asked: GuardedToolCall): Promise<void> {
    const { pendingCalls, scope } = this.#options;
    const { proposal } = asked.arguments;
    const release = this.#holding.held.hold(id);
    const wanted = textOf(proposal);
    const call = await pendingCalls.find(wanted, scope).catch(() => undefined);
    if (!release()) return;
    if (call !== undefined) return await this.#holding.hold(id, asIfAsked(asked, call.facts), call);
    this.#answer(id, { result: unknownCall(asked) });
  }

  /** Runs exactly the accepted offer; a refusal by the gateway is passed on unchanged. */
  async #accept(id: RpcId, asked: GuardedToolCall): Promise<void> {
    const { pendingCalls, scope, accept } = this.#options;
    const { proposal, counter } = asked.arguments;
    const release = this.#holding.held.hold(id);
    const call = await pendingCalls.find(textOf(proposal), scope).catch(() => undefined);
    if (!release()) return;
    if (call === undefined) return this.#answer(id, { result: unknownCall(asked) });
    // The call runs for the present callers, so the caller is added before the acceptance.
    await this.#holding.hold(id, asIfAsked(asked, call.facts), call);
    if (call.outcome !== undefined) return;
    await accept(typeof counter === 'string' ? counter : (call.state.offer?.id ?? '')).catch(
      (error: unknown) => {
        if (this.#holding.held.cancel(id)) this.#answer(id, { result: notAccepted(asked, error) });
      },
    );
  }

  /** Errors here are reported to the caller, who would otherwise wait forever. */
  #answerIfItFails(id: RpcId, work: Promise<void>): void {
    work.catch((error: unknown) => {
      this.#holding.held.cancel(id);
      const failure = wentWrong(error);
      this.#options.settings.log(failure.message);
      this.#answer(id, { error: failure });
    });
  }

  #answer(id: RpcId, answer: RpcAnswer): void {
    this.#options.send(answerTo(id, answer));
  }
}
