import {
  type AnyProjection,
  DecisionProjection,
  HandoffProjection,
  MultiRoundProjection,
  QuorumProjection,
  TaskProjection,
} from '@proffer/core/negotiation';
import { Decision } from './decision.js';
import { Handoff } from './handoff.js';
import { Quorum } from './quorum.js';
import { Rounds } from './rounds.js';
import { Task } from './task.js';

interface ModeStateProps {
  readonly projection: AnyProjection;
  readonly participants: readonly string[];
}

/** The state of a session as people think of it in its mode; offers have a view of their own. */
export function ModeState({ projection, participants }: ModeStateProps) {
  if (projection instanceof DecisionProjection)
    return <Decision projection={projection} participants={participants} />;
  if (projection instanceof TaskProjection) return <Task projection={projection} />;
  if (projection instanceof HandoffProjection) return <Handoff projection={projection} />;
  if (projection instanceof QuorumProjection)
    return <Quorum projection={projection} participants={participants} />;
  if (projection instanceof MultiRoundProjection)
    return <Rounds projection={projection} participants={participants} />;
  return null;
}
