import { HANDOFF_MODE, HandoffProjection, type ProjectionOptions } from '@proffer/core/negotiation';
import type { Acknowledgement } from '../acknowledgement.js';
import { type Content, encodeContent } from '../bytes.js';
import type { MacpClient } from '../macp-client.js';
import type { NegotiationCallOptions } from '../persist.js';
import type { FollowerOptions } from './follower.js';
import type { MessageOptions, RemarkOptions } from './message-options.js';
import { ModeSession } from './mode-session.js';

/** The optional fields of an offer to hand over. */
export interface HandoffOfferOptions extends RemarkOptions {
  /** What the responsibility covers. */
  readonly scope?: string;
}

/** What the target should know. */
export interface HandoffContextOptions extends MessageOptions {
  /** Default `text/plain`. */
  readonly contentType?: string;
}

/** One handoff, with a method for each message of Handoff Mode. */
export class HandoffSession extends ModeSession<HandoffProjection> {
  /**
   * A session that is not started yet: call {@link start} next. To take part in someone else's, call
   * {@link join}.
   */
  constructor(client: MacpClient, options: FollowerOptions = {}) {
    super(client, { ...options, mode: HANDOFF_MODE, project });
  }

  /** Joins a session that someone else started. Settles when the projection is up to date. */
  static join(
    client: MacpClient,
    sessionId: string,
    options: FollowerOptions & NegotiationCallOptions = {},
  ): Promise<HandoffSession> {
    return new HandoffSession(client, options).enter(sessionId, options);
  }

  /** Offers the responsibility to a participant, under an id that is new in the session. */
  offer(
    handoff_id: string,
    target_participant: string,
    { scope = '', reason = '', ...options }: HandoffOfferOptions = {},
  ): Promise<Acknowledgement> {
    return this.send('HandoffOffer', { handoff_id, target_participant, scope, reason }, options);
  }

  /** Adds what the target of an offer should know. */
  addContext(
    handoff_id: string,
    context: Content,
    { contentType = 'text/plain', ...options }: HandoffContextOptions = {},
  ): Promise<Acknowledgement> {
    const payload = { handoff_id, content_type: contentType, context: encodeContent(context) };
    return this.send('HandoffContext', payload, options);
  }

  /** Takes the responsibility that was offered. */
  accept(handoff_id: string, { reason = '', ...options }: RemarkOptions = {}): Promise<Acknowledgement> {
    return this.send('HandoffAccept', { handoff_id, accepted_by: '', reason, implicit: false }, options);
  }

  /** Does not take the responsibility that was offered. */
  decline(handoff_id: string, { reason = '', ...options }: RemarkOptions = {}): Promise<Acknowledgement> {
    return this.send('HandoffDecline', { handoff_id, declined_by: '', reason }, options);
  }
}

function project(options: ProjectionOptions): HandoffProjection {
  return new HandoffProjection(options);
}
