import { refuse } from '@proffer/core';
import {
  decideInSpace,
  emptySpace,
  evolveSpace,
  isProposalRecord,
  type OperationRecord,
  releaseSpaceUntil,
  type SpaceDecision,
  type SpaceSettings,
  type SpaceState,
} from '@proffer/core/operations';
import type { Fold, Rules } from '../host/index.js';
import type { createDecisionContext } from './decision-context.js';
import { answerTo, isSameAnswer, type PreparedMessage } from './space-message-outcome.js';

export type SpaceRules = Rules<SpaceState, PreparedMessage, SpaceDecision>;

/** How to build the state of a space, for the engine. */
export function spaceFold(settings: SpaceSettings): Fold<SpaceState, OperationRecord> {
  return {
    initial: emptySpace(settings),
    evolve: evolveSpace,
    versionOf(space, record) {
      const entity = isProposalRecord(record)
        ? space.proposals.get(record.facts.proposal)
        : space.participants.get(record.facts.participant);
      return entity?.version ?? 0;
    },
    letGo: releaseSpaceUntil,
  };
}

/** The rules of a space, for the engine. @param isClosing - whether nothing is accepted any more */
export function spaceRules(
  context: ReturnType<typeof createDecisionContext>,
  isClosing: () => boolean,
): SpaceRules {
  return {
    decide(space, { envelope, sender, grant, removed, check, newToken, newKey }) {
      if (isClosing()) return { refused: refuse('unavailable', 'The gateway is closing.') };
      const refused = check?.();
      if (refused !== undefined) return { refused };
      return decideInSpace(space, envelope, context(removed, sender, { grant, newToken, newKey }));
    },
    confirm(decision, onDurable) {
      const answer = answerTo(decision);
      const certain = onDurable();
      // What it repeats may be in flight: until that is certain, so is nothing about its repeat (O-47).
      if (answer === undefined) return certain.unchanged === 'duplicate' ? certain : undefined;
      return isSameAnswer(answer, answerTo(certain)) ? certain : undefined;
    },
  };
}
