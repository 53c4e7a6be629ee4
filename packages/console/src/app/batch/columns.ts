import type { CallParts } from '@proffer/core/approvals';
import { isJsonArray, isJsonObject, type JsonValue } from '@proffer/core/json';

/** More columns than this are too narrow to be read. */
const MAX_COLUMNS = 4;
/** A longer text needs the whole width. */
const LONGEST = 120;

/** The order of the rows: by a column, or as they came. */
export interface RowOrder {
  readonly column: string;
  readonly isDown: boolean;
}

/** The arguments that differ, as columns; none if they need more room than a column has. */
export function columnsOf(different: readonly CallParts[]): readonly string[] {
  const names = [...new Set(different.flatMap(({ given }) => Object.keys(given)))];
  const fit = different.every(
    ({ given, others }) => Object.keys(others).length === 0 && Object.values(given).every(isShort),
  );
  return fit && names.length <= MAX_COLUMNS ? names : [];
}

function isShort(value: JsonValue | undefined): boolean {
  if (typeof value === 'string') return value.length <= LONGEST && !value.includes('\n');
  return !isJsonArray(value) && !isJsonObject(value);
}

/** The positions of the calls in an order. Numbers are compared as numbers; what is missing comes last. */
export function orderedPlaces(
  different: readonly CallParts[],
  order: RowOrder | undefined,
): readonly number[] {
  const places = different.map((_, place) => place);
  if (order === undefined) return places;
  const valueAt = (place: number): JsonValue | undefined => different[place]?.given[order.column];
  return places.sort((left, right) => {
    const [one, other] = [valueAt(left), valueAt(right)];
    if (one === undefined || other === undefined)
      return Number(one === undefined) - Number(other === undefined);
    return order.isDown ? compare(other, one) : compare(one, other);
  });
}

function compare(left: JsonValue, right: JsonValue): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  return textOf(left).localeCompare(textOf(right), undefined, { numeric: true });
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The sum of a column; `undefined` unless each call has a number there. */
export function sumOf(different: readonly CallParts[], column: string): number | undefined {
  let sum = 0;
  for (const { given } of different) {
    const value = given[column];
    if (typeof value !== 'number') return undefined;
    sum += value;
  }
  // Without the noise of binary fractions.
  return different.length === 0 ? undefined : Number(sum.toPrecision(15));
}
