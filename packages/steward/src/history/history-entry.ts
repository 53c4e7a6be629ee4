import { correlationIds, type Envelope } from '@proffer/core';
import { defined, type JsonObject } from '@proffer/core/json';

/**
 * One event in a space, as far as the history of decisions needs it. A journal's operation records
 * are valid entries.
 */
export interface HistoryEntry {
  /** As in a record: `proposed`, `fulfilled`, `rejected`, `announced` …; others are skipped. */
  readonly type: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly principal: string;
  readonly envelope: Envelope;
  readonly facts?: JsonObject;
}

const TYPES: readonly (readonly [prefix: string, type: string])[] = [
  ['mcp.proposal.', 'proposed'],
  ['mcp.request.', 'fulfilled'],
  ['mcpx.reject.proposal', 'rejected'],
  ['mcpx.status.proposal', 'status_reported'],
  ['mcpx.announce.tools', 'announced'],
];

/** A message from a feed, with the time it was accepted if the feed has it. */
export type FeedMessage = Envelope & { readonly time?: number };

/**
 * A feed message as an entry; `undefined` for irrelevant ones. A feed does not say who runs a
 * request, and may not say when it was accepted: `to` and the sender's clock are used instead.
 */
export function entryOfMessage(message: FeedMessage): HistoryEntry | undefined {
  const type = TYPES.find(([prefix]) => message.kind.startsWith(prefix))?.[1];
  if (type === undefined) return undefined;
  const [proposal] = type === 'proposed' ? [message.id] : correlationIds(message);
  if (type !== 'announced' && proposal === undefined) return undefined;
  const [executor, ...others] = message.to ?? [];
  const { grant } = message.payload;
  const facts = {
    ...defined({ proposal }),
    ...(type === 'fulfilled' && executor !== undefined && others.length === 0 ? { executor } : {}),
    ...(type === 'fulfilled' && typeof grant === 'string' ? { grant } : {}),
  };
  const time = message.time ?? Date.parse(message.ts);
  return { type, time, principal: message.from, envelope: message, facts };
}
