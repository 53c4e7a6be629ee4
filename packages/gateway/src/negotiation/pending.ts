import type { RecordContent, Refusal } from '@proffer/core';
import type { Landing } from './verdict.js';

/** A last look at what was decided, before it is appended: the refusal, or nothing. */
export type Check<Content> = (records: readonly Content[]) => Refusal | undefined;

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
