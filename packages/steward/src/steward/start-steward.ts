import type { Message, Participant, PendingProposal } from '@proffer/client/participation';
import { GATEWAY, subjectOf } from '@proffer/core';
import { defined, isJsonObject, sameJson, textOf } from '@proffer/core/json';
import { decideByRules, type RuleDecision } from '../rules/decide-by-rules.js';
import type { RuleSet } from '../rules/rule-set.js';
import { createRuleUsage } from '../rules/rule-usage.js';
import { carryOut, hasRejected, type StewardEvent } from './carry-out.js';
import { describeDecision } from './decision-text.js';
import { factsOf, type ProspectiveServer, serverOf } from './facts.js';

export interface StewardOptions {
  /** Connected, with the capabilities to request what the rules may allow, to reject and to send statuses. */
  readonly participant: Participant;
  readonly rules: RuleSet;
  /** Milliseconds since 1970. Default: this machine's clock. */
  readonly now?: () => number;
  /** Called for everything the steward does. */
  readonly onEvent?: (event: StewardEvent) => void;
}

/** A running steward. */
export interface Steward {
  /** The rules in use. */
  readonly rules: RuleSet;
  /** Switches to other rules, also for proposals left to people that are still pending. */
  use(rules: RuleSet): void;
  /** Stops deciding. The participant stays connected. */
  stop(): void;
}

/** How many proposals left to people are remembered for another look (I-7). */
const MAX_LEFT = 10_000;

/**
 * Decides pending and future proposals by rules; never its own.
 *
 * - `allow`: first a status `processing` that names rule and version, then the request, addressed to
 *   the server that the rules judged. Without the status on record nothing runs.
 * - `deny`: a rejection with the reason `policy` and a message that names rule and version. Like
 *   every rejection it leaves others free to decide otherwise (O-17). What the same participant
 *   rejected in an earlier run is not rejected again.
 * - `ask`: nothing, so that the proposal waits for people; if it names the steward, a status
 *   `unable`, so that its proposer knows. Never a rejection: that could end it (O-18).
 *
 * Reserved proposals are judged when they are opened; those that nobody serves, when somebody does.
 */
export function startSteward({ participant, now = Date.now, onEvent, ...options }: StewardOptions): Steward {
  const left = new Map<string, Left>();
  const considered = new Set<string>();
  /** Proposals under consideration that were opened to everyone in the meantime. */
  const opened = new Set<string>();
  const usage = createRuleUsage();
  let { rules } = options;
  /** How often someone joined, left, or announced tools. */
  let changes = 0;
  let stopped = false;

  async function consider(proposal: PendingProposal, again: boolean): Promise<void> {
    const { id, proposer } = proposal;
    if (stopped || proposer === participant.name || considered.has(id)) return;
    considered.add(id);
    const judgedBy = rules;
    const judgedAt = changes;
    const server = serverOf(proposal, participant.participants);
    const decision = judge(proposal, server);
    const takeBack = usage.count(rules, decision, now());
    // After a restart, the same rejection is not repeated.
    if (decision.action === 'deny' && hasRejected(participant, proposal)) {
      considered.delete(id);
      return;
    }
    const {
      outcome,
      waitsForServer = false,
      error,
    } = await carryOut(participant, proposal, {
      decision,
      server,
      again,
    });
    considered.delete(id);
    if (outcome !== 'fulfilled') takeBack();
    if (stopped) return;
    const before = left.get(id);
    left.delete(id);
    const isPending = outcome === 'left' || outcome === 'failed';
    if (isPending) remember(proposal, { waitsForServer, outcome, decision });
    // Proposals are checked again whenever someone joins or leaves; that is not reported if nothing
    // changed.
    const isKnown = outcome === 'left' && before?.outcome === 'left' && isSame(before.decision, decision);
    if (!isKnown) onEvent?.({ type: 'decided', proposal, decision, outcome, ...defined({ error }) });
    if (opened.delete(id) && left.has(id)) return await consider(openToAll(proposal), true);
    const isOld = judgedBy !== rules || (waitsForServer && judgedAt !== changes);
    if (isOld && left.has(id)) await consider(proposal, true);
  }

  function judge(proposal: PendingProposal, server: ProspectiveServer | undefined): RuleDecision {
    const facts = factsOf(proposal, server, now());
    if (facts !== undefined) return decideByRules(rules, facts, usage);
    const reason = 'The arguments are not an object, so no rule can match them.';
    return { action: 'ask', reason, version: rules.version };
  }

  function remember(proposal: PendingProposal, judged: Omit<Left, 'proposal'>): void {
    left.set(proposal.id, { proposal, ...judged });
    const [oldest] = left.keys();
    if (left.size > MAX_LEFT && oldest !== undefined) left.delete(oldest);
  }

  function reconsider(which: 'all' | 'waiting'): void {
    for (const { proposal, waitsForServer } of left.values()) {
      if (which === 'all' || waitsForServer) void consider(proposal, true);
    }
  }

  function take(message: Message): void {
    const { kind, from, correlationId, payload } = message;
    if (kind === 'system.presence' || kind.startsWith('mcpx.announce.')) {
      changes += 1;
      return reconsider('waiting');
    }
    const id = textOf(correlationId);
    const isOpened = kind === 'system.notice' && from === GATEWAY && payload['notice'] === 'opened';
    if (isOpened && considered.has(id)) opened.add(id);
    const proposal = left.get(id)?.proposal;
    if (proposal === undefined) return;
    if (kind === 'mcpx.withdraw.proposal') left.delete(proposal.id);
    else if (kind.startsWith('mcp.request.')) takeRequest(proposal, message);
    else if (kind === 'system.notice' && from === GATEWAY) {
      const { notice, final } = payload;
      if (isOpened) void consider(openToAll(proposal), true);
      else if (notice === 'expired' || final === true) left.delete(proposal.id);
    }
  }

  /** Changes made while fulfilling a proposal are judged, too, though it can no longer be stopped. */
  function takeRequest(proposal: PendingProposal, { from, payload }: Message): void {
    const { method, params } = payload;
    const ran = isJsonObject(params) ? { ...proposal, params } : proposal;
    const subject = (params?: typeof proposal.params) => subjectOf(proposal.method, params)?.name;
    if (method !== proposal.method || subject(ran.params) !== subject(proposal.params)) return;
    left.delete(proposal.id);
    if (from === participant.name || sameJson(ran.params, proposal.params)) return;
    const decision = judge(ran, serverOf(ran, participant.participants));
    onEvent?.({ type: 'amended', proposal: ran, by: from, decision });
  }

  const stopHandling = participant.onProposal((proposal) => consider(proposal, false));
  const stopListening = participant.on('message', take);
  return {
    get rules() {
      return rules;
    },
    use(next) {
      rules = next;
      reconsider('all');
    },
    stop() {
      stopped = true;
      stopHandling();
      stopListening();
    },
  };
}

/** A proposal that is still pending after the rules were applied to it. */
interface Left {
  readonly proposal: PendingProposal;
  readonly waitsForServer: boolean;
  readonly outcome: 'left' | 'failed';
  readonly decision: RuleDecision;
}

function isSame(one: RuleDecision, other: RuleDecision): boolean {
  return one.version === other.version && describeDecision(one) === describeDecision(other);
}

function openToAll({ targeting, ...proposal }: PendingProposal): PendingProposal {
  return targeting === undefined ? proposal : { ...proposal, targeting: { ...targeting, exclusive: false } };
}
