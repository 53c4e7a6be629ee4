/** Integers with so few digits survive a double unchanged. */
export const SAFE_DIGITS = 15;

/** Any more would overflow the largest double. */
const MAX_DIGITS = 309;

/**
 * True for an integer that changes when it is parsed as a double and written again, as every hop
 * does: `9007199254740993` becomes `9007199254740992`. Numbers with a fraction or an exponent do not
 * count as integers here: they are considered as exact as a double.
 *
 * @param start - where a run of digits starts in the text, and
 * @param end - the index after it
 */
export function isChangedInteger(text: string, start: number, end: number): boolean {
  if (end - start <= MAX_DIGITS && survives(text.slice(start, end))) return false;
  const before = text.slice(Math.max(0, start - 2), start);
  return !/[.eE][+-]?$/.test(before) && !/[.eE]/.test(text.charAt(end));
}

function survives(digits: string): boolean {
  const value = Number(digits);
  if (value <= Number.MAX_SAFE_INTEGER) return true;
  const written = String(value);
  if (written === digits) return true;
  // From 1e21 on it is written with an exponent; the zeros that this omits make no difference.
  const [significant = '', exponent] = written.split('e');
  return exponent !== undefined && significant.replace('.', '') === digits.replace(/0+$/, '');
}
