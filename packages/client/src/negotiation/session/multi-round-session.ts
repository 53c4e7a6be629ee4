import { MULTI_ROUND_MODE, MultiRoundProjection, type ProjectionOptions } from '@proffer/core/negotiation';
import type { Acknowledgement } from '../acknowledgement.js';
import type { MacpClient } from '../macp-client.js';
import type { NegotiationCallOptions } from '../persist.js';
import type { FollowerOptions } from './follower.js';
import type { MessageOptions } from './message-options.js';
import { ModeSession } from './mode-session.js';

/** One session in `ext.multi_round.v1`. */
export class MultiRoundSession extends ModeSession<MultiRoundProjection> {
  /**
   * A session that is not started yet: call {@link start} next. To take part in someone else's, call
   * {@link join}.
   */
  constructor(client: MacpClient, options: FollowerOptions = {}) {
    super(client, { ...options, mode: MULTI_ROUND_MODE, project });
  }

  /** Joins a session that someone else started. Settles when the projection is up to date. */
  static join(
    client: MacpClient,
    sessionId: string,
    options: FollowerOptions & NegotiationCallOptions = {},
  ): Promise<MultiRoundSession> {
    return new MultiRoundSession(client, options).enter(sessionId, options);
  }

  /** Contributes a value, in place of an earlier one. */
  contribute(value: string, options: MessageOptions = {}): Promise<Acknowledgement> {
    return this.send('Contribute', { value }, options);
  }
}

function project(options: ProjectionOptions): MultiRoundProjection {
  return new MultiRoundProjection(options);
}
