import type { Decision, Refusal } from '@proffer/core';
import type { RecordContent } from '@proffer/core/records';
import type { StoredRecord } from '@proffer/journal';
import type { Landing } from './verdict.js';

/** A last look at what was decided, before it is appended: the refusal, or nothing. */
export type Check<Content> = (records: readonly Content[]) => Refusal | undefined;

/** A look that finds nothing wrong. */
export const acceptAll = (): undefined => undefined;

/** Why nothing is appended, if somebody has something against it. */
export function refusalOf<Content>(decision: Decision<Content>, check: Check<Content>): Refusal | undefined {
  return decision.refused ?? (decision.records && check(decision.records));
}

/** A command, and what is needed to decide it as often as it takes. */
export interface Submission<Command, Content, Context> {
  readonly command: Command;
  readonly context: () => Context;
  readonly check: Check<Content>;
}

/** A state, and how many records made it. */
export interface Snapshot<State> {
  readonly state: State;
  readonly version: number;
}

/** Records that were decided and are not durable yet. */
export interface Pending<State, Content extends RecordContent> {
  readonly records: readonly Content[];
  readonly after: Snapshot<State>;
  readonly settle: (landing: Landing<Content>) => void;
}

/** The records of all of them, in their order. */
export function recordsOf<State, Content extends RecordContent>(
  batch: readonly Pending<State, Content>[],
): readonly Content[] {
  const [first] = batch;
  // Mostly there is one, and nothing to put together.
  if (batch.length === 1 && first !== undefined) return first.records;
  const all: Content[] = [];
  for (const { records } of batch) for (const record of records) all.push(record);
  return all;
}

/** Tells each of them that its records are durable. */
export function settleStored<State, Content extends RecordContent>(
  batch: readonly Pending<State, Content>[],
  stored: readonly StoredRecord[],
): void {
  let start = 0;
  for (const { records, settle } of batch) {
    const end = start + records.length;
    const own = batch.length === 1 ? stored : stored.slice(start, end);
    settle({ status: 'appended', records: own as readonly StoredRecord<Content>[] });
    start = end;
  }
}
