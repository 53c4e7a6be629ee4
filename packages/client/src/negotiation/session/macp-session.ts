import { type ProjectionOptions, SessionProjection } from '@proffer/core/negotiation';
import type { MacpClient } from '../macp-client.js';
import type { NegotiationCallOptions } from '../persist.js';
import type { FollowedProjection, Project } from './follower.js';
import { ModeSession, type ModeSessionOptions } from './mode-session.js';

export interface MacpSessionOptions<Projection extends FollowedProjection>
  extends Omit<ModeSessionOptions<Projection>, 'project'> {
  /** What its messages are folded into. Default: a {@link SessionProjection}, for all modes that this version knows. */
  readonly project?: Project<Projection>;
}

/**
 * One negotiation, in any mode that the runtime supports and the projection knows; following one in
 * another mode fails with `MODE_NOT_SUPPORTED`. A mode that this version knows has a class of its own,
 * such as {@link ProposalSession}, with a method for each of its messages.
 */
export class MacpSession<
  Projection extends FollowedProjection = SessionProjection,
> extends ModeSession<Projection> {
  constructor(client: MacpClient, options: MacpSessionOptions<Projection>) {
    // Without another projection, the default one is used.
    super(client, { project: createProjection as unknown as Project<Projection>, ...options });
  }

  /** Joins a session that someone else started. Settles when the projection is up to date. */
  static join<Joined extends FollowedProjection = SessionProjection>(
    client: MacpClient,
    sessionId: string,
    options: Omit<MacpSessionOptions<Joined>, 'mode'> & NegotiationCallOptions = {},
  ): Promise<MacpSession<Joined>> {
    return new MacpSession<Joined>(client, { mode: '', ...options }).enter(sessionId, options);
  }
}

function createProjection(options: ProjectionOptions): SessionProjection {
  return new SessionProjection(options);
}
