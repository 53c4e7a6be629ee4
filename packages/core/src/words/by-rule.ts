/** Stands for the rule where none matched. */
export const NO_RULE = 'no rule, the default';

/** A decision by rules as recorded: the reason, which rule, and which version of the rules. */
export function describeByRule(reason: string, which: string, version: string): string {
  return `${reason} [${which}; rules ${version}]`;
}

/** Which rule and version the end of a recorded text names; `undefined` if rules did not decide. */
export function readByRule(text: unknown): { readonly which: string; readonly version: string } | undefined {
  const tail = typeof text === 'string' ? /; rules ([^\s;\]]+)\]$/.exec(text) : null;
  if (tail === null) return undefined;
  return { which: tail.input.slice(0, tail.index), version: tail[1] ?? '' };
}
