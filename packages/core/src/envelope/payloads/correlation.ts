import { fieldFault } from '../fault.js';
import type { PayloadCheck } from './payload-check.js';

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
