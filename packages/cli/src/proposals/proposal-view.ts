import type { Envelope } from '@proffer/core';
import type { JsonObject } from '@proffer/core/json';
import type {
  Fulfilment,
  OperationOutcome,
  Proposal,
  ProposalDecision,
  ProspectiveExecutor,
  Rejection,
  Status,
} from '@proffer/core/operations';

/** A proposal as the gateway shows it over HTTP (`viewProposal` in core). */
export type ProposalView = Omit<Proposal, 'rejections' | 'statuses' | 'fulfilment' | 'outcome'> & {
  readonly rejections: Readonly<Record<string, Rejection>>;
  readonly statuses: Readonly<Record<string, Status>>;
  readonly fulfilment?: Fulfilment;
  readonly outcome?: OperationOutcome;
  readonly decision?: ProposalDecision;
  /** Who would run it if it were approved now; absent where nobody could, and once it is no longer pending. */
  readonly wouldRun?: ProspectiveExecutor;
};

/**
 * A message as the gateway delivers it. Those that are not in the journal have no `seq`, and no `time` at
 * which they were accepted (ms since 1970, on the gateway's clock).
 */
export type LoggedMessage = Envelope & { readonly seq?: number; readonly time?: number };

/** One step in the life of a proposal: the record's type, its time on the gateway's clock, and the message. */
export type Step = {
  readonly type: string;
  readonly time: number;
  readonly facts: JsonObject;
  readonly message: LoggedMessage;
};

/** What an operation is about, in one word: the tool, prompt or resource, or else the method. */
export function nameOf({ subject, method }: Pick<ProposalView, 'subject' | 'method'>): string {
  return subject?.name ?? method;
}

/** What is handed to the operation: a tool's arguments, or else all params. */
export function argumentsOf({ method, params }: Pick<ProposalView, 'method' | 'params'>) {
  return hasArguments(method) ? params?.['arguments'] : params;
}

/** Whether a method takes its input in `params.arguments`. */
export function hasArguments(method: string): boolean {
  return method === 'tools/call' || method === 'prompts/get';
}
