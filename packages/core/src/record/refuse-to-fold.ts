import { quote } from '../json/describe.js';

/**
 * Stops a fold at something only a newer version can have written: continuing without it would give a
 * different state than the one decided on (I-3).
 *
 * @throws Error always; it names the type
 */
export function refuseToFold(what: 'record' | 'message' | 'mode', type: string): never {
  throw new Error(
    `This version does not support the ${what} type ${quote(type)}: read the journal with a newer one.`,
  );
}
