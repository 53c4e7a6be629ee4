/** The probable meaning of a text that looks like an operator of another language. */
export interface OddText {
  /** What it looks like, after "looks like". */
  readonly looksLike: string;
  readonly suggestion: string;
}

const COMPARISON = /^\s*([<>]=?)\s*([-+]?\d[\d_.]*)\s*$/;
const NAMES: Readonly<Record<string, string>> = { '>': 'gt', '>=': 'gte', '<': 'lt', '<=': 'lte' };
const RANGE = /^\s*([-+]?\d+(?:\.\d+)?)\s*\.\.\.?\s*([-+]?\d+(?:\.\d+)?)\s*$/;
const NEGATION = /^\s*(?:!=?|<>)\s*(\S.*)$/;
const PREFIXED_REGEX = /^\s*(?:regexp?:|=~|!~)\s*(.*)$/;
const SLASHED_REGEX = /^\/(.*(?:\\[dDwWsSb.]|[$^]|\.[*+]|\[[^\]]+\][*+?]|\)[*+?]|\([^)]*\|).*)\/[dgimsuvy]*$/;
const BARE_REGEX = /^\^.*$/s;
const BRACES = /\{[^{}:"']*,[^{}:"']*\}/;
const JSON_PATH = /^\$[.[]/;

/** Finds texts that would be taken literally, though their author meant something else. */
export function oddText(text: string): OddText | undefined {
  const [, sign, bound] = COMPARISON.exec(text) ?? [];
  if (sign !== undefined) return { looksLike: 'a comparison', suggestion: `{ ${NAMES[sign]}: ${bound} }` };
  const [, from, to] = RANGE.exec(text) ?? [];
  if (from !== undefined) return { looksLike: 'a range', suggestion: `{ between: [${from}, ${to}] }` };
  const [, regex] = PREFIXED_REGEX.exec(text) ?? SLASHED_REGEX.exec(text) ?? [];
  if (regex !== undefined) return { looksLike: 'a regex', suggestion: matches(regex) };
  if (BARE_REGEX.test(text)) return { looksLike: 'a regex', suggestion: matches(text) };
  const [, negated] = NEGATION.exec(text) ?? [];
  if (negated !== undefined)
    return { looksLike: 'a negation', suggestion: `{ not: ${JSON.stringify(negated)} }` };
  if (JSON_PATH.test(text)) return { looksLike: 'a path into the arguments', suggestion: 'nested keys' };
  if (BRACES.test(text) && /[*/\\]/.test(text))
    return { looksLike: 'a choice in braces', suggestion: '{ anyOf: [ …, … ] }' };
  return undefined;
}

function matches(regex: string): string {
  return `{ matches: ${JSON.stringify(regex)} }`;
}
