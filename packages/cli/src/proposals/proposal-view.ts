import type { ProposalStep, ProposalView } from '@proffer/client/http';
import { textOf } from '@proffer/core/json';

export type { LoggedMessage, ProposalStep, ProposalView } from '@proffer/client/http';

/** What an operation is about, in one word: the tool, prompt or resource, or else the method. */
export function nameOf({ subject, method }: Pick<ProposalView, 'subject' | 'method'>): string {
  return subject?.name ?? method;
}

/** The input of the operation: a tool's arguments, or else all params. */
export function argumentsOf({ method, params }: Pick<ProposalView, 'method' | 'params'>) {
  return hasArguments(method) ? params?.['arguments'] : params;
}

/** Whether a method takes its input in `params.arguments`. */
export function hasArguments(method: string): boolean {
  return method === 'tools/call' || method === 'prompts/get';
}

/** Why a proposer asks, which the state of a proposal does not say. */
export function reasonIn([first]: readonly ProposalStep[]): string {
  return textOf(first?.message.payload['reason']);
}

/** Whether an id, or a prefix, looks like those of guards. */
export function looksLikeGuards(id: string): boolean {
  return /^call-[0-9a-f]{4}/.test(id);
}
