import type { Message } from './connection/message.js';
import type { Feed, FeedOptions } from './feed/feed.js';

/** How a participant behaves, and what it needs besides its connection. */
export interface ParticipantOptions {
  readonly silence: number;
  readonly quickReject: boolean;
  readonly openFeed: (options: FeedOptions) => Feed;
  readonly history: (proposal: string) => Promise<readonly Message[]>;
}
