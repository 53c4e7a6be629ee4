import { type MacpClient, MacpSession, ProposalSession } from '@proffer/client/negotiation';
import { defined } from '@proffer/core/json';
import {
  type AnyProjection,
  PROPOSAL_MODE,
  type ProjectionOptions,
  projectionFor,
} from '@proffer/core/negotiation';

/** A session in any mode. */
export type BoardSession = ProposalSession | MacpSession<AnyProjection>;

/** Joins a session with what is known about its mode. */
export async function joinAny(
  mode: string,
  client: MacpClient,
  id: string,
  options: { readonly signal: AbortSignal },
): Promise<BoardSession> {
  if (mode === PROPOSAL_MODE) return await ProposalSession.join(client, id, options);
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
  const earlier = projectionFor(start.mode, defined({ rules: terms?.rules }));
  for (const envelope of transcript.slice(0, place)) earlier.apply(envelope);
  return earlier;
}
