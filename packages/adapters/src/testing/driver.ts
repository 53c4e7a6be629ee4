import type { Gate } from '../gate/index.js';

/** One conversation: the model asks for one call of one tool, hears what came of it, and is done. */
export interface Conversation {
  readonly gate: Gate;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** What the tool does. */
  readonly execute: (args: unknown) => string;
  readonly signal?: AbortSignal;
  /** What outlives the process: a framework that can be resumed keeps it here. */
  readonly saved: { text?: string };
}

/** A framework with a scripted model. Gives what the model heard of the call, as text. */
export interface Driver {
  readonly name: string;
  /** Whether a conversation that was cut off goes on from what it saved. */
  readonly resumes: boolean;
  /** Whether whoever approved a call sees what came of it. Default true. */
  readonly reports?: boolean;
  readonly converse: (conversation: Conversation) => Promise<string>;
}
