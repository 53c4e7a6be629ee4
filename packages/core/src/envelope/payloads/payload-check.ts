import type { JsonObject } from '../../json/json.js';
import { type Fault, fieldFault } from '../field-checks.js';
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

/** For kinds that are about at least one other message. */
export const checkSomeCorrelation: PayloadCheck = ({ correlationIds }) =>
  correlationIds.length > 0
    ? undefined
    : fieldFault('correlationId', undefined, 'the id of the message that this one is about');

/** For kinds that are about exactly one other message: its id, alone or as the only one in an array. */
export const checkOneCorrelation: PayloadCheck = (message) =>
  message.correlationIds.length > 1
    ? fieldFault('correlationId', message.correlationIds, 'the id of one message')
    : checkSomeCorrelation(message);
