import type { ProposalContext } from '../context.js';
import { decideProposal, type ProposalCommand } from '../proposal/decide-proposal.js';
import { evolveProposal } from '../proposal/evolve-proposal.js';
import type { Proposal } from '../proposal/proposal.js';
import type { ProposalRecord } from '../records.js';

/**
 * Two gateways serve one proposal. Each message is decided on what its gateway has seen so far, which
 * may be any prefix of the stream that is not older than what it saw before, and is then appended
 * with the version that the decision was made on. Every interleaving is tried: any message next, any
 * lag, any other append between a decision and its own append, the end of the time to live at any
 * moment.
 */
export interface Model {
  readonly messages: readonly Message[];
  readonly contextFor: (command: ProposalCommand, timeIsUp: boolean) => ProposalContext;
  /** The id of the request whose answer is among the messages. */
  readonly answered: string;
  /** What is wrong with a stream, if anything. */
  readonly faultIn: (journal: readonly ProposalRecord[]) => string | undefined;
}

export interface Message {
  readonly name: string;
  readonly gateway: 0 | 1;
  readonly command: ProposalCommand;
}

/** A decision of a gateway that is not appended yet. */
interface Intention {
  readonly expectedVersion: number;
  readonly records: readonly ProposalRecord[];
}

interface Situation {
  readonly journal: readonly ProposalRecord[];
  /** Per gateway: how much of the stream it has seen. */
  readonly seen: readonly [number, number];
  /** Per message: not sent, decided, or done. */
  readonly messages: readonly ('waiting' | Intention | 'done')[];
  readonly timeIsUp: boolean;
}

export const fold = (records: readonly ProposalRecord[]): Proposal | undefined =>
  records.reduce<Proposal | undefined>(evolveProposal, undefined);

/** All possible next situations. */
function* successors(model: Model, situation: Situation, checksVersions: boolean): Generator<Situation> {
  if (!situation.timeIsUp) yield { ...situation, timeIsUp: true };
  for (const [index, message] of model.messages.entries()) {
    const step = situation.messages[index];
    if (step === 'waiting') yield* decideOn(model, situation, { index, message });
    else if (step !== 'done' && step !== undefined)
      yield appendTo(model, situation, { index, intention: step, checksVersions });
  }
}

function* decideOn(
  model: Model,
  situation: Situation,
  { index, message }: { readonly index: number; readonly message: Message },
): Generator<Situation> {
  const { journal, seen } = situation;
  // Senders of messages about a proposal have seen it, and a gateway that has not looks it up in the
  // journal.
  const needed =
    message.command.type === 'answer'
      ? journal.findIndex((record) => isFulfilment(record, model.answered)) + 1
      : 1;
  if (message.command.type !== 'propose' && (needed === 0 || journal.length === 0)) return;
  for (
    let view = Math.max(seen[message.gateway], Math.min(needed, journal.length));
    view <= journal.length;
    view++
  ) {
    const decision = decideProposal(
      fold(journal.slice(0, view)),
      message.command,
      model.contextFor(message.command, situation.timeIsUp),
    );
    const records = decision.records ?? [];
    const next = records.length === 0 ? 'done' : { expectedVersion: view, records };
    yield withMessage({ ...situation, seen: withSeen(seen, message.gateway, view) }, index, next);
  }
}

const isFulfilment = (record: ProposalRecord, request: string) =>
  record.type === 'fulfilled' && record.envelope.id === request;

function appendTo(
  { messages }: Model,
  situation: Situation,
  {
    index,
    intention,
    checksVersions,
  }: { readonly index: number; readonly intention: Intention; readonly checksVersions: boolean },
): Situation {
  const { journal, seen } = situation;
  const gateway = messages[index]?.gateway ?? 0;
  if (checksVersions && journal.length !== intention.expectedVersion) {
    // Another writer was first: read what it wrote, and decide again.
    return withMessage({ ...situation, seen: withSeen(seen, gateway, journal.length) }, index, 'waiting');
  }
  const longer = [...journal, ...intention.records];
  return withMessage(
    { ...situation, journal: longer, seen: withSeen(seen, gateway, longer.length) },
    index,
    'done',
  );
}

function withMessage(situation: Situation, index: number, step: 'waiting' | Intention | 'done'): Situation {
  return { ...situation, messages: situation.messages.with(index, step) };
}

function withSeen([zero, one]: Situation['seen'], gateway: 0 | 1, view: number): Situation['seen'] {
  return gateway === 0 ? [view, one] : [zero, view];
}

function keyOf({ journal, seen, messages, timeIsUp }: Situation): string {
  const steps = messages.map((step) => (typeof step === 'string' ? step[0] : step.expectedVersion));
  const records = journal.map(({ type, principal }) => `${type} ${principal}`);
  return `${records.join()}|${seen.join()}|${steps.join()}|${timeIsUp}`;
}

/** Tries everything; without version checks, only until something goes wrong. */
export function explore(model: Model, checksVersions: boolean) {
  const start: Situation = {
    journal: [],
    seen: [0, 0],
    messages: model.messages.map(() => 'waiting'),
    timeIsUp: false,
  };
  const known = new Set<string>();
  const streams = new Map<string, readonly ProposalRecord[]>();
  const faults = new Set<string>();
  const open: Situation[] = [start];
  for (let situation = open.pop(); situation !== undefined; situation = open.pop()) {
    if (!checksVersions && faults.size > 0) break;
    for (const next of successors(model, situation, checksVersions)) {
      const key = keyOf(next);
      if (known.has(key)) continue;
      known.add(key);
      const stream = next.journal.map(({ type, principal }) => `${type} ${principal}`).join();
      if (!streams.has(stream)) {
        streams.set(stream, next.journal);
        const fault = model.faultIn(next.journal);
        if (fault !== undefined) faults.add(fault);
      }
      open.push(next);
    }
  }
  return { situations: known.size, streams: [...streams.values()], faults: [...faults] };
}
