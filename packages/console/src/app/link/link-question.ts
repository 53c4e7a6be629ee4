import { type JsonValue, listOf, objectOf } from '@proffer/core/json';
import { type Proposal, readProposalView } from '@proffer/core/operations';
import { ask } from '../session/http.js';
import type { Served } from '../space/tools.js';

/** The question behind a link: the whole proposal, and who would decide. */
export interface LinkQuestion {
  readonly participant: string;
  readonly space: string;
  readonly proposal: Proposal;
  readonly reason: string | undefined;
  readonly served: Served | undefined;
  /** The executor, as shown, with the digest of how it describes the tool. */
  readonly executor: string | undefined;
  readonly definition: string | undefined;
  readonly mayApprove: boolean;
  readonly mayReject: boolean;
  /** Why only a signed-in user can decide it. */
  readonly signIn: string | undefined;
}

const HOOK = '/hooks/decision-link';

/**
 * Looks up what a link decides, without changing anything. Rejects with an AskError that says what is wrong
 * with it.
 */
export async function lookUp(key: string): Promise<LinkQuestion> {
  const { participant, space, proposal, reason, served, may, signIn } = await ask(HOOK, undefined, { key });
  const view = objectOf(proposal);
  const { name: runner, definition: described } = objectOf(view['wouldRun']);
  const { by, definition } = objectOf(served);
  const allowed = listOf(may);
  return {
    participant: textIn(participant) ?? '',
    space: textIn(space) ?? '',
    proposal: readProposalView(view),
    reason: textIn(reason),
    served: typeof by === 'string' ? { by, definition: objectOf(definition) } : undefined,
    executor: textIn(runner),
    definition: textIn(described),
    mayApprove: allowed.includes('approve'),
    mayReject: allowed.includes('reject'),
    signIn: textIn(signIn),
  };
}

/** The decision: exactly what was shown, or a rejection. */
export type LinkDecision =
  | {
      readonly decision: 'approve';
      readonly digest: string;
      readonly version: number;
      readonly executor?: string;
      readonly definition?: string;
    }
  | { readonly decision: 'reject'; readonly reason: string; readonly message?: string };

/** Decides. Rejects with an AskError; then nothing was decided, unless there was no answer at all. */
export async function decideByLink(key: string, decision: LinkDecision): Promise<void> {
  await ask(HOOK, undefined, { key, ...decision });
}

function textIn(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
