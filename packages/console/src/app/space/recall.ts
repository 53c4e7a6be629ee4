import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectOf,
  objectsIn,
} from '@proffer/core/json';
import { readProposalView, recordInMessage } from '@proffer/core/operations';
import { ask } from '../session/http.js';
import { type Proposals, reasonIn } from './proposals.js';
import type { Space } from './space.js';

/** How far back to look for similar calls, in positions of the space. */
export const LOOK_BACK = 3_000;

const spacePath = ({ name }: Pick<Space, 'name'>): string => `/spaces/${encodeURIComponent(name)}`;

/** A proposal as the gateway shows it now, with its history. Rejects with an AskError. */
export function readProposal(space: Pick<Space, 'name' | 'token'>, id: string): Promise<JsonObject> {
  return ask(`${spacePath(space)}/proposals/${encodeURIComponent(id)}`, space.token);
}

/** Adds a proposal that is not in the model: one that ended before we connected. Rejects with an AskError. */
export async function recallProposal(space: Space, id: string): Promise<void> {
  const { proposal, history } = await readProposal(space, id);
  if (!isJsonObject(proposal)) return;
  const steps = objectsIn(history);
  const answer = steps.findLast(({ type }) => type === 'answered')?.['message'];
  const asked = steps.find(({ type }) => type === 'proposed')?.['message'];
  space.proposals.add(readProposalView(proposal), {
    answer: payloadOf(answer),
    reason: reasonIn(payloadOf(asked) ?? {}),
  });
}

function payloadOf(message: JsonValue | undefined): JsonObject | undefined {
  const payload = objectOf(message)['payload'];
  return isJsonObject(payload) ? payload : undefined;
}

/**
 * Folds recent history, so that a card can show how similar calls ended. Resolves when all of it is loaded,
 * or when the gateway refuses.
 */
export async function recallPast(
  space: Pick<Space, 'name' | 'token'> & { readonly proposals: Proposals },
  seq: number,
): Promise<void> {
  let after = Math.max(0, seq - LOOK_BACK);
  while (after < seq) {
    const page = await ask(`${spacePath(space)}/feed?records=true&after=${after}`, space.token);
    const messages: readonly JsonObject[] = isJsonArray(page['messages'])
      ? page['messages'].filter(isJsonObject)
      : [];
    for (const message of messages) {
      const record = recordInMessage(message);
      if (record !== undefined) space.proposals.take(record);
    }
    const next = page['seq'];
    if (typeof next !== 'number' || next <= after) return;
    after = next;
  }
}
