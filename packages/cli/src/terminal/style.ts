/** Colours for people; plain text where they are not wanted. Resets only what it sets, so styles nest. */
export interface Style {
  readonly enabled: boolean;
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
  readonly inverse: (text: string) => string;
}

/** @param enabled - false returns the text unchanged */
export function createStyle(enabled: boolean): Style {
  const wrap = (open: number, close: number) => (text: string) =>
    enabled && text !== '' ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return {
    enabled,
    bold: wrap(1, 22),
    dim: wrap(2, 22),
    red: wrap(31, 39),
    green: wrap(32, 39),
    yellow: wrap(33, 39),
    cyan: wrap(36, 39),
    inverse: wrap(7, 27),
  };
}

/**
 * Whether to use colours on a stream: NO_COLOR says no, FORCE_COLOR (other than `0`) says yes,
 * otherwise only a terminal that is not dumb gets them.
 */
export function wantsColour(
  env: Readonly<Record<string, string | undefined>>,
  stream: { readonly isTTY?: boolean },
): boolean {
  const { NO_COLOR: never = '', FORCE_COLOR: always = '', TERM: kind } = env;
  if (never !== '') return false;
  if (always !== '') return always !== '0';
  return stream.isTTY === true && kind !== 'dumb';
}
