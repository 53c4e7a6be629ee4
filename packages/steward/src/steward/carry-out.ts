import {
  type Participant,
  type PendingProposal,
  RefusedError,
  sendOnceThere,
  type Welcome,
} from '@proffer/client/participation';
import { refusalRow, subjectOf } from '@proffer/core';
import { defined, isJsonObject, type JsonObject } from '@proffer/core/json';
import type { RuleDecision } from '../rules/decide-by-rules.js';
import { describeDecision } from './decision-text.js';
import type { ProspectiveServer } from './facts.js';

/** The outcome of a decision, and why it could not be carried out. */
export interface CarriedOut {
  readonly outcome: StewardOutcome;
  /**
   * No one is present to run it, or several are; once it is clear who, the rules may decide
   * differently.
   */
  readonly waitsForServer?: boolean;
  readonly error?: unknown;
}

/**
 * Carries out what the rules say about a proposal; never throws.
 *
 * @param again - the proposal was left to people before, so it need not be reported again
 */
export async function carryOut(
  participant: Participant,
  proposal: PendingProposal,
  {
    decision,
    server,
    again,
  }: {
    readonly decision: RuleDecision;
    readonly server: ProspectiveServer | undefined;
    readonly again: boolean;
  },
): Promise<CarriedOut> {
  const { id } = proposal;
  try {
    if (decision.action === 'deny') {
      const { status } = await participant.reject(id, 'policy', describeDecision(decision));
      return { outcome: status === 'late' ? 'late' : 'rejected' };
    }
    const waitsForServer = server === undefined && subjectOf(proposal.method, proposal.params) !== undefined;
    if (decision.action === 'ask' || waitsForServer || isReserved(participant, proposal)) {
      if (!again && names(proposal, participant.name)) await reportUnable(participant, id, decision);
      return { outcome: 'left', waitsForServer };
    }
    return { outcome: await fulfil(participant, proposal, { decision, server }) };
  } catch (error) {
    const code = error instanceof RefusedError ? error.code : undefined;
    if (code === 'proposal_not_pending') return { outcome: 'late' };
    // The space's policy does not let the steward decide this one, or not alone: people do, and are
    // told why (O-28).
    if (error instanceof RefusedError && refusalRow(error.code)?.leftToOthers === true) {
      await reportLeft(participant, id, `${error.message} ${describeDecision(decision)}`);
      return { outcome: 'left' };
    }
    return { outcome: 'failed', waitsForServer: code === 'executor_absent', error };
  }
}

/** The reason comes first: nothing runs without a reason on record. */
async function fulfil(
  participant: Participant,
  { id, method, params, to }: PendingProposal,
  { decision, server }: { readonly decision: RuleDecision; readonly server: ProspectiveServer | undefined },
): Promise<StewardOutcome> {
  const { status } = await participant.status(id, 'processing', describeDecision(decision));
  if (status === 'late') return 'late';
  // The server that was judged runs it, not one that has joined since.
  const executors = server === undefined ? to : [server.name];
  const request = {
    kind: `mcp.request.${method}`,
    correlationId: id,
    ...(executors.length === 0 ? {} : { to: executors }),
    payload: { jsonrpc: '2.0', id, method, ...defined({ params }) },
  };
  // The reason is on record: it is not repeated for each retry while the server is briefly offline.
  await sendOnceThere(
    () => participant.send(request),
    () => true,
  );
  return 'fulfilled';
}

/** A courtesy: if this fails, nothing else changes. */
async function reportUnable(participant: Participant, id: string, decision: RuleDecision): Promise<void> {
  await reportLeft(participant, id, describeDecision(decision));
}

async function reportLeft(participant: Participant, id: string, why: string): Promise<void> {
  await participant.status(id, 'unable', `Left to people. ${why}`).catch(() => {});
}

/**
 * Whether this steward, perhaps in an earlier run, already rejected a proposal, as the welcome
 * reports (O-17).
 */
export function hasRejected({ name, welcome }: Participant, { id }: PendingProposal): boolean {
  const known = rejectedBefore.get(welcome) ?? new Set(welcome.pending.filter(isRejectedBy(name)).map(idOf));
  rejectedBefore.set(welcome, known);
  return known.has(id);
}

/** Computed once per welcome, however many proposals arrive. */
const rejectedBefore = new WeakMap<Welcome, ReadonlySet<unknown>>();

function isRejectedBy(name: string): (view: JsonObject) => boolean {
  return ({ rejections }) => isJsonObject(rejections) && Object.hasOwn(rejections, name);
}

function idOf({ id }: JsonObject): unknown {
  return id;
}

/** Whether only others may fulfil it for now (O-20). The welcome lists what was opened before we joined. */
function isReserved({ name, welcome }: Participant, { id, targeting }: PendingProposal): boolean {
  if (targeting?.exclusive !== true || targeting.preferred.includes(name)) return false;
  return welcome.pending.find((view) => view['id'] === id)?.['opened'] !== true;
}

function names({ to, targeting }: PendingProposal, name: string): boolean {
  return to.includes(name) || targeting?.preferred.includes(name) === true;
}

/**
 * What happened to a proposal.
 *
 * - `fulfilled`, `rejected`: the steward did it, and it is in the journal.
 * - `left`: people decide.
 * - `late`: someone else was first.
 * - `failed`: the rules allow or deny it, but the gateway refused; people decide.
 */
export type StewardOutcome = 'fulfilled' | 'rejected' | 'left' | 'late' | 'failed';

/** An event reported by a steward. */
export type StewardEvent =
  | {
      readonly type: 'decided';
      readonly proposal: PendingProposal;
      readonly decision: RuleDecision;
      readonly outcome: StewardOutcome;
      /** For failures. */
      readonly error?: unknown;
    }
  /** Someone changed the proposal while fulfilling it; this is what the rules say about what runs. */
  | {
      readonly type: 'amended';
      readonly proposal: PendingProposal;
      readonly by: string;
      readonly decision: RuleDecision;
    };
