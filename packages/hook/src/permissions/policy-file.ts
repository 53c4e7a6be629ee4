/** A rule of a policy file, by its keys. */
export type PolicyRule = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/**
 * The tables `[[rule]]` of a TOML file that has no others. Values are texts without escapes, lists of them, numbers and
 * booleans. `undefined` for a file with anything else in it.
 */
export function readPolicy(text: string): readonly PolicyRule[] | undefined {
  const rules: Record<string, PolicyRule[string]>[] = [];
  let rest = text.replaceAll('\r\n', '\n');
  while (rest !== '') {
    const [line = ''] = /^[^\n]*\n?/.exec(rest) ?? [];
    const isEmpty = /^\s*(?:#.*)?$/.test(line);
    const isHeader = /^\s*\[\[\s*rule\s*\]\]\s*(?:#.*)?$/.test(line);
    if (isHeader) rules.push({});
    if (isEmpty || isHeader) {
      rest = rest.slice(line.length);
      continue;
    }
    const found = ENTRY.exec(rest);
    const value = found === null ? undefined : valueOf(found[2] ?? '');
    const rule = rules.at(-1);
    if (found === null || value === undefined || rule === undefined) return undefined;
    rule[found[1] ?? ''] = value;
    rest = rest.slice(found[0].length);
  }
  return rules;
}

const TEXT = /"[^"\\\n]*"|'[^'\n]*'/;
const LIST = String.raw`\[(?:\s|,|#[^\n]*|${TEXT.source})*\]`;
const ENTRY = new RegExp(
  String.raw`^[ \t]*(\w+)[ \t]*=[ \t]*(${TEXT.source}|${LIST}|-?\d+|true|false)[ \t]*(?:#[^\n]*)?(?:\n|$)`,
);

function valueOf(text: string): PolicyRule[string] | undefined {
  if (/^["']/.test(text)) return text.slice(1, -1);
  if (text === 'true' || text === 'false') return text === 'true';
  if (!text.startsWith('[')) return Number(text);
  const found = text.match(new RegExp(`#[^\\n]*|${TEXT.source}`, 'g')) ?? [];
  return found.filter((one) => !one.startsWith('#')).map((one) => one.slice(1, -1));
}
