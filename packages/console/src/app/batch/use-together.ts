import { canonicalJson } from '@proffer/core/json';
import type { Proposal } from '@proffer/core/operations';
import { useEffect, useState } from 'preact/hooks';
import { decisions, reject } from '../decide/decisions.js';
import { recallProposal } from '../space/recall.js';
import { type Runner, runnerOf } from '../space/runner.js';
import type { Space } from '../space/space.js';
import { useStore } from '../state/store.js';
import { plainLine } from '../text/marked.js';
import { approveTogether } from './approve-together.js';

/** A call as it was shown, to see later whether anything about it changed. */
interface ShownCall {
  readonly proposal: Proposal;
  /** The executor that was shown; `undefined` if it was unknown, or there was none. */
  readonly by: string | undefined;
  /** The tool as that executor described it. */
  readonly definition: string;
}

/** Records what is shown. */
function showCall(proposal: Proposal, { name, served }: Runner): ShownCall {
  return { proposal, by: name, definition: canonicalJson(served?.definition ?? {}) };
}

/**
 * What changed about a call since it was shown, as text; `undefined` if it may be decided as it was shown
 * (O-35).
 *
 * @param now - its current state; `undefined` if it is gone
 */
function changeSince(
  shown: ShownCall,
  now: Proposal | undefined,
  { name, served }: Runner,
): string | undefined {
  if (now === undefined || now.phase !== 'pending') return 'is no longer pending';
  if (now.digest !== shown.proposal.digest) return 'is a different call now';
  const before = new Set(shown.proposal.rejections.keys());
  const rejected = [...now.rejections.keys()].find((name) => !before.has(name));
  if (rejected !== undefined) return `was rejected by ${rejected} in the meantime`;
  if (name !== shown.by) return 'would now be run by a different server';
  if (canonicalJson(served?.definition ?? {}) !== shown.definition)
    return 'is for a tool that has changed since';
  return undefined;
}

/** At most this many are decided at once: nobody reads more. */
export const MAX_TOGETHER = 100;

/** Calls that are reviewed together, each decided exactly as it was shown. */
export interface Together {
  /** As they were when they were shown. */
  readonly shown: readonly ShownCall[];
  /** Shows others, or the same as they are now. */
  readonly show: (proposals: readonly Proposal[]) => void;
  /** The calls that a decision would be for: neither left out nor decided. */
  readonly chosen: readonly ShownCall[];
  readonly leftOut: ReadonlySet<string>;
  readonly onLeaveOut: (ids: ReadonlySet<string>) => void;
  /** Why they cannot be approved now. */
  readonly problem: string | undefined;
  /** Calls that were skipped because they changed, with the reason. */
  readonly named: readonly string[];
  /** The chosen calls that are still as they were shown; the others are named. */
  readonly unchanged: () => readonly ShownCall[];
  /** All their reasons, to notice one that came later. */
  readonly reasons: string;
}

/**
 * Follows calls that are reviewed together. Exactly what was shown is decided: later calls wait until they are
 * requested, and those that changed in the meantime are skipped and named.
 */
export function useTogether(space: Space, proposals: readonly Proposal[]): Together {
  useStore(space.changes);
  useStore(decisions);
  const [shown, setShown] = useState<readonly ShownCall[]>(() => show(space, proposals));
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set());
  const [named, setNamed] = useState<readonly string[]>([]);
  useEffect(() => recallReasons(space, shown), [shown]);
  // Their executor is known shortly after they are shown.
  useEffect(() => {
    const unknown = shown.filter(({ by }) => by === undefined);
    if (unknown.some(({ proposal }) => runnerOf(space, proposal).name !== undefined))
      setShown(shown.map((call) => (call.by === undefined ? showNow(space, call.proposal) : call)));
  });
  const chosen = shown.filter(({ proposal: { id } }) => !leftOut.has(id) && isOpen(space, id));
  return {
    shown,
    show: (next) => setShown(show(space, next)),
    chosen,
    leftOut,
    onLeaveOut: setLeftOut,
    problem: chosen
      .map(({ proposal, by }) => problemOf(runnerOf(space, proposal, by)))
      .find((problem) => problem !== undefined),
    named,
    unchanged() {
      setNamed(
        chosen.flatMap((call) => {
          const change = whatChanged(space, call);
          return change === undefined ? [] : [`${call.proposal.id} ${change}`];
        }),
      );
      return chosen.filter((call) => whatChanged(space, call) === undefined);
    },
    reasons: JSON.stringify(shown.map(({ proposal: { id } }) => space.proposals.reason(id) ?? '')),
  };
}

/** Approves calls exactly as they were shown, on the executors that were shown. */
export function approveShown(space: Space, calls: readonly ShownCall[]): Promise<void> {
  return approveTogether(
    space,
    calls.map(({ proposal, by: executor }) => {
      const { params, digest } = proposal;
      return { proposal, approval: { params, digest, executor } };
    }),
  );
}

/** Rejects calls, each with the same reason. */
export function rejectShown(
  space: Space,
  calls: readonly ShownCall[],
  why: { readonly reason: string; readonly said?: string },
): void {
  for (const { proposal } of calls) void reject(space, proposal, why);
}

function whatChanged(space: Space, call: ShownCall): string | undefined {
  return changeSince(call, space.proposals.get(call.proposal.id), runnerOf(space, call.proposal));
}

/** Why calls cannot be approved together. Somebody new is let in call by call. */
function problemOf({ name, insteadOf, problem }: Runner): string | undefined {
  if (problem !== undefined || insteadOf === undefined) return problem;
  return `${plainLine(name ?? '')} would run it for the first time; approve one of these calls on its own first`;
}

function show(space: Space, proposals: readonly Proposal[]): readonly ShownCall[] {
  return proposals.slice(0, MAX_TOGETHER).map((proposal) => showNow(space, proposal));
}

function showNow(space: Space, proposal: Proposal): ShownCall {
  return showCall(proposal, runnerOf(space, proposal));
}

/** Whether it is still undecided, here and elsewhere. */
function isOpen(space: Space, id: string): boolean {
  const made = decisions.get().get(id);
  return space.proposals.get(id)?.phase === 'pending' && (made === undefined || made.state === 'refused');
}

/** Proposals that were pending when we connected come without their proposer's reason. Returns how to stop. */
function recallReasons(space: Space, calls: readonly ShownCall[]): () => void {
  let isOver = false;
  void (async () => {
    for (const { proposal } of calls) {
      if (isOver) return;
      if (space.proposals.reason(proposal.id) !== undefined) continue;
      // Without an answer, it has no reason here, and its card asks again.
      await recallProposal(space, proposal.id).catch(() => {});
      space.changes.set(space.changes.get() + 1);
    }
  })();
  return () => {
    isOver = true;
  };
}
