import { quote } from '../json/describe.js';

/**
 * Stops a fold at what only a newer version can have written: going on without it would make another
 * state than the one that was decided on (I-3).
 *
 * @throws Error always; it names the type
 */
export function refuseToFold(what: 'record' | 'message' | 'mode', type: string): never {
  throw new Error(`This version knows no ${what} of type ${quote(type)}: read the journal with a newer one.`);
}
