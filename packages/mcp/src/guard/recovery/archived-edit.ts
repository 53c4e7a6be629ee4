import type { Edited } from '@proffer/client/own-calls';
import { type Change, defined, diffJson, isJsonObject, type JsonObject, objectsIn } from '@proffer/core/json';
import { objectAt, textAt } from '../../json-rpc.js';

const ARGUMENTS = '/arguments';

/** Who approved a proposal, and their changes to the arguments, as recorded by the gateway (O-13). */
export function editInArchive(proposal: JsonObject): Edited {
  const fulfilment = objectAt(proposal, 'fulfilment');
  const { amendment } = fulfilment;
  const changes = objectsIn(amendment);
  return { by: textAt(fulfilment, 'by'), edit: changes.flatMap(changesOfArguments) };
}

function changesOfArguments({ path, before, after }: JsonObject): readonly Change[] {
  // Too many changes are combined into one: everything changed.
  if (path === '') return diffJson(argumentsIn(before), argumentsIn(after));
  if (typeof path !== 'string' || (path !== ARGUMENTS && !path.startsWith(`${ARGUMENTS}/`))) return [];
  const change = { path: path.slice(ARGUMENTS.length) };
  return [{ ...change, ...defined({ before, after }) }];
}

function argumentsIn(params: unknown): JsonObject {
  return isJsonObject(params) ? objectAt(params, 'arguments') : {};
}
