import { defined, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@proffer/core/json';
import type { Grant } from '@proffer/core/operations';
import type { Exchange } from '../connection/exchange.js';
import type { Receipt } from '../connection/message.js';

/**
 * A capability in its written form: a pattern over kinds, or one with patterns for the payload, too
 * (O-8).
 */
export type GrantedCapability = string | { readonly kind: string; readonly payload?: JsonObject };

/** The bounds of a grant (O-41). Without any, it lasts as long as the participant is connected. */
export interface GrantOptions {
  /** Milliseconds from now, on the gateway's clock. */
  readonly ttl?: number;
  /** A time; not together with `ttl`. */
  readonly until?: Date;
  /** How many messages it covers. */
  readonly uses?: number;
  /**
   * A session of the participant: it covers only proposals whose `origin` names it, and ends after 12
   * hours unless another bound is set. True: it ends when the participant leaves.
   */
  readonly session?: boolean | string;
  /** Why, in up to 1000 characters. */
  readonly reason?: string;
  /** Default: a new one. It is used to revoke the grant. */
  readonly id?: string;
}

/** A grant in force, as the gateway shows it. */
export type GrantInForce = Omit<Grant, 'within'>;

/** What a participant lets others do. */
export interface Grants {
  /**
   * Grants someone what we may do ourselves, for a time, a number of uses, or as long as they are
   * connected (O-41). Settles when it is durable; it is revoked by its `id`.
   */
  readonly grant: (
    to: string,
    capabilities: readonly GrantedCapability[],
    options?: GrantOptions,
  ) => Promise<Receipt>;
  /** Revokes one of our grants; an operator may revoke any grant. */
  readonly revoke: (id: string, reason?: string) => Promise<Receipt>;
}

export function createGrants(exchange: Exchange): Grants {
  return {
    grant: (to, capabilities, options) => grant(exchange, to, capabilities, options),
    revoke: (id, reason) => revoke(exchange, id, reason),
  };
}

function grant(
  exchange: Exchange,
  to: string,
  capabilities: readonly GrantedCapability[],
  { ttl, until, uses, session, reason, id }: GrantOptions = {},
): Promise<Receipt> {
  return exchange.send({
    ...defined({ id }),
    kind: 'mcpx.grant.capability',
    payload: {
      to,
      capabilities,
      ...defined({ ttl }),
      ...(until === undefined ? {} : { until: until.toISOString() }),
      ...defined({ uses, session, reason }),
    },
  });
}

function revoke(exchange: Exchange, id: string, reason?: string): Promise<Receipt> {
  return exchange.send({
    kind: 'mcpx.revoke.capability',
    correlationId: id,
    payload: defined({ reason }),
  });
}

/** Grants as listed in the welcome. */
export function readGrants(value: JsonValue | undefined): readonly GrantInForce[] {
  return isJsonArray(value) ? (value.filter(isJsonObject) as unknown as readonly GrantInForce[]) : [];
}
