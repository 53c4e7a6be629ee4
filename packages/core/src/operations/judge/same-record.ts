import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/json.js';
import type { OperationRecord } from '../records.js';

/** Facts that depend on what no record says: a schema's verdict on arguments, and which batch a message was a part of. */
const OPEN: ReadonlySet<string> = new Set(['arguments', 'argumentFaults', 'batch']);

/** Whether a stored record is the one that was decided. */
export function isSameRecord(stored: OperationRecord, decided: OperationRecord): boolean {
  return (
    stored.type === decided.type &&
    stored.time === decided.time &&
    stored.principal === decided.principal &&
    isSame(stored.envelope, decided.envelope) &&
    hasSame(stored.facts, decided.facts, OPEN)
  );
}

/** Like `sameJson`, without writing either of them as text: this is asked for every record of a journal. */
function isSame(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true;
  if (isJsonArray(left))
    return (
      isJsonArray(right) &&
      left.length === right.length &&
      left.every((item, index) => isSame(item, right[index]))
    );
  return isJsonObject(left) && isJsonObject(right) && hasSame(left, right);
}

function hasSame(left: JsonObject, right: JsonObject, except?: ReadonlySet<string>): boolean {
  for (const key in left)
    if (left[key] !== undefined && except?.has(key) !== true && !isSame(left[key], right[key])) return false;
  for (const key in right)
    if (right[key] !== undefined && except?.has(key) !== true && left[key] === undefined) return false;
  return true;
}
