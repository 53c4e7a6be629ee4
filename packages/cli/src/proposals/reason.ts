import { textOf } from '@proffer/core/json';
import type { ProposalStep } from './proposal-view.js';

/** Why a proposer asks, which the state of a proposal does not say. */
export function reasonIn([first]: readonly ProposalStep[]): string {
  return textOf(first?.message.payload['reason']);
}
