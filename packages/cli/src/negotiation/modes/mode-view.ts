import {
  type AnyProjection,
  DecisionProjection,
  HandoffProjection,
  MultiRoundProjection,
  ProposalProjection,
  QuorumProjection,
  TaskProjection,
} from '@proffer/core/negotiation';
import type { Style } from '../../terminal/shell.js';
import { wordsFor } from '../message-words.js';
import { showOffers } from '../offer-tree.js';
import { showDecision } from './decision-view.js';
import { showHandoff } from './handoff-view.js';
import { showRounds } from './multi-round-view.js';
import { showQuorum } from './quorum-view.js';
import { showTask } from './task-view.js';

/** The state of a session, as people think of it in its mode; in a mode without a view, what was said. */
export function showState(projection: AnyProjection, style: Style): readonly string[] {
  const [title, lines] = viewOf(projection, style);
  return [style.bold(title), ...lines];
}

function viewOf(projection: AnyProjection, style: Style): readonly [title: string, lines: readonly string[]] {
  if (projection instanceof ProposalProjection) return ['Offers', showOffers(projection, style)];
  if (projection instanceof DecisionProjection) return ['Options', showDecision(projection, style)];
  if (projection instanceof TaskProjection) return ['Task', showTask(projection, style)];
  if (projection instanceof HandoffProjection) return ['Responsibility', showHandoff(projection, style)];
  if (projection instanceof QuorumProjection) return ['Request', showQuorum(projection, style)];
  if (projection instanceof MultiRoundProjection) return ['Values', showRounds(projection, style)];
  const lines = projection.transcript.map((envelope) => {
    const { who, what, detail } = wordsFor(envelope, style);
    return `  ${who} ${what} ${detail}`.trimEnd();
  });
  return ['Messages', lines];
}
