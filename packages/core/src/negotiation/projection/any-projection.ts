import { DECISION_MODE } from '../modes/decision/name.js';
import { DecisionProjection } from '../modes/decision/projection.js';
import { HANDOFF_MODE } from '../modes/handoff/name.js';
import { HandoffProjection } from '../modes/handoff/projection.js';
import { MULTI_ROUND_MODE } from '../modes/multi-round/name.js';
import { MultiRoundProjection } from '../modes/multi-round/projection.js';
import { PROPOSAL_MODE } from '../modes/proposal/name.js';
import { ProposalProjection } from '../modes/proposal/projection.js';
import { QUORUM_MODE } from '../modes/quorum/name.js';
import { QuorumProjection } from '../modes/quorum/projection.js';
import { TASK_MODE } from '../modes/task/name.js';
import { TaskProjection } from '../modes/task/projection.js';
import { type ProjectionOptions, SessionProjection } from './session-projection.js';

/** A projection that knows what the messages of its mode mean. */
export type KnownProjection =
  | ProposalProjection
  | DecisionProjection
  | TaskProjection
  | HandoffProjection
  | QuorumProjection
  | MultiRoundProjection;

/** What the messages of a session add up to, in whichever mode it is. */
export type AnyProjection = KnownProjection | SessionProjection;

const PROJECTIONS: ReadonlyMap<string, new (options: ProjectionOptions) => KnownProjection> = new Map<
  string,
  new (
    options: ProjectionOptions,
  ) => KnownProjection
>([
  [PROPOSAL_MODE, ProposalProjection],
  [DECISION_MODE, DecisionProjection],
  [TASK_MODE, TaskProjection],
  [HANDOFF_MODE, HandoffProjection],
  [QUORUM_MODE, QuorumProjection],
  [MULTI_ROUND_MODE, MultiRoundProjection],
]);

/** The projection for sessions of a mode; of a mode without its own, one that keeps the messages. */
export function projectionFor(mode: string, options: ProjectionOptions = {}): AnyProjection {
  const Projection = PROJECTIONS.get(mode);
  return Projection === undefined ? new SessionProjection(options) : new Projection(options);
}
