import { servedModes } from '@proffer/core/negotiation';

/** What people call a mode: `decision` for `macp.mode.decision.v1`. Any other name stays as it is. */
export function shortMode(mode: string): string {
  return SHORT.get(mode) ?? mode;
}

/** The mode that a name on the command line means: a short name, or any other as it is. */
export function modeNamed(text: string): string {
  const found = [...SHORT].find(([, short]) => short === text.toLowerCase().replaceAll('_', '-'));
  return found === undefined ? text : found[0];
}

/** The short name of every mode that this version knows. */
export function shortModes(): readonly string[] {
  return [...SHORT.values()];
}

const SHORT: ReadonlyMap<string, string> = new Map(
  servedModes().map(({ mode }) => [
    mode,
    mode
      .replace(/^(?:macp\.mode|ext)\./, '')
      .replace(/\.v\d+$/, '')
      .replaceAll('_', '-'),
  ]),
);
