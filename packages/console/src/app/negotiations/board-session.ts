import {
  DecisionSession,
  HandoffSession,
  type MacpClient,
  MacpSession,
  MultiRoundSession,
  ProposalSession,
  QuorumSession,
  TaskSession,
} from '@proffer/client/negotiation';
import { defined } from '@proffer/core/json';
import {
  type AnyProjection,
  DECISION_MODE,
  HANDOFF_MODE,
  MULTI_ROUND_MODE,
  PROPOSAL_MODE,
  type ProjectionOptions,
  projectionFor,
  QUORUM_MODE,
  SessionProjection,
  TASK_MODE,
} from '@proffer/core/negotiation';

const SESSIONS = new Map(
  Object.entries({
    [PROPOSAL_MODE]: ProposalSession,
    [DECISION_MODE]: DecisionSession,
    [TASK_MODE]: TaskSession,
    [HANDOFF_MODE]: HandoffSession,
    [QUORUM_MODE]: QuorumSession,
    [MULTI_ROUND_MODE]: MultiRoundSession,
  }),
);

/** A session in any mode. */
export type BoardSession =
  | ProposalSession
  | DecisionSession
  | TaskSession
  | HandoffSession
  | QuorumSession
  | MultiRoundSession
  | MacpSession<AnyProjection>;

/** Joins a session with what is known about its mode. */
export async function joinAny(
  mode: string,
  client: MacpClient,
  id: string,
  options: { readonly signal: AbortSignal },
): Promise<BoardSession> {
  const known = SESSIONS.get(mode);
  if (known !== undefined) return await known.join(client, id, options);
  const project = (rules: ProjectionOptions) => projectionFor(mode, rules);
  const session: MacpSession<AnyProjection> = await MacpSession.join(client, id, { ...options, project });
  return session;
}

/**
 * What the first messages of a session add up to, under the rules that it has.
 *
 * @param place - how many of them; undefined for all
 */
export function projectionAt(projection: AnyProjection, place: number | undefined): AnyProjection {
  const { transcript, terms } = projection;
  const [start] = transcript;
  if (place === undefined || start === undefined) return projection;
  const descriptor = projection instanceof SessionProjection ? projection.descriptor : undefined;
  const earlier = projectionFor(start.mode, defined({ rules: terms?.rules, descriptor }));
  for (const envelope of transcript.slice(0, place)) earlier.apply(envelope);
  return earlier;
}
