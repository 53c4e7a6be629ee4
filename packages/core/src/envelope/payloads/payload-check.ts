import type { JsonObject } from '../../json/json.js';
import type { Fault } from '../fault.js';
import type { Kind } from '../kind.js';

/** The context of a payload check: the frame around it is already known to be well-formed. */
export interface MessageParts {
  readonly kind: Kind;
  readonly payload: JsonObject;
  /** Names of addressees; empty if everyone is addressed. */
  readonly to: readonly string[];
  /** Ids of the messages that this one is about. */
  readonly correlationIds: readonly string[];
}

/** The first fault of a payload, or `undefined`. Unknown fields are ignored. */
export type PayloadCheck = (message: MessageParts) => Fault | undefined;
