import type { Proposal } from '../operations/proposal/proposal.js';
import type { Voice } from './voice.js';

type Operation = Pick<Proposal, 'method'> & {
  readonly subject?: Pick<NonNullable<Proposal['subject']>, 'name'> | undefined;
};

/** What is done, before the name of the tool, resource or prompt. */
export function verbOf(method: string): string {
  if (method === 'resources/read') return 'read';
  return method === 'prompts/get' ? 'get the prompt' : 'run';
}

/** What would be done, in a few words: `run write_file`, `read file:///a`. */
export function describeOperation({ method, subject }: Operation, { text }: Voice): string {
  return `${verbOf(method)} ${text(subject?.name ?? method)}`;
}
