import type { JsonObject } from '@proffer/core/json';
import { INVALID_REQUEST } from '../../json-rpc.js';

/** The answer to a request whose id belongs to another open request. */
export const ID_IN_USE: JsonObject = {
  jsonrpc: '2.0',
  id: null,
  error: {
    code: INVALID_REQUEST,
    message: 'A request with this id is already open. Give each request its own id.',
  },
};

/** The maximum number of unanswered requests of a client (I-7), and the refusal of any more. */
export const MAX_OPEN = 10_000;
export const TOO_MANY = `Nothing was done: ${MAX_OPEN} requests of this connection are still unanswered. Wait for some of them, or cancel some.`;
