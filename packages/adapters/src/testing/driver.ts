import type { Gate } from '../gate/index.js';

/** One conversation: the model asks for one call of one tool, gets the result, and is done. */
export interface Conversation {
  readonly gate: Gate;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** What the tool does. */
  readonly execute: (args: unknown) => string;
  readonly signal?: AbortSignal;
  /** What outlives the process: a resumable framework saves its state here. */
  readonly saved: { text?: string };
}

/** A framework with a scripted model. Returns what the model was told about the call, as text. */
export interface Driver {
  readonly name: string;
  /** Whether an interrupted conversation resumes from what it saved. */
  readonly resumes: boolean;
  /** Whether the approver of a call sees its result. Default true. */
  readonly reports?: boolean;
  readonly converse: (conversation: Conversation) => Promise<string>;
}
