import type { SourceFile } from './repository.js';

const KEBAB_CASE = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const CATCH_ALL = new Set(['util', 'utils', 'type', 'types', 'helper', 'helpers', 'common', 'misc']);

/** Problems with the name of a file, one line each. */
export function namingProblems({ path }: SourceFile): readonly string[] {
  const problems: string[] = [];
  const names = path
    .replace(/((\.(nats|python|python-packages))?(\.(slow|smoke))?\.test)?\.(d\.ts|tsx?|mjs)$/, '')
    .split('/');
  for (const name of names) {
    if (!KEBAB_CASE.test(name)) problems.push(`${path}: ${name} is not in kebab-case`);
    if (CATCH_ALL.has(name)) problems.push(`${path}: ${name} says nothing; name the one idea that is in it`);
  }
  return problems;
}

/** Words that were names of types, each with the word of the glossary for the same thing. */
const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ['Visitor', 'Caller'],
  ['Guest', 'Caller'],
  ['Principal', 'Caller'],
  ['Standing', 'ParticipantRights'],
  ['Room', 'Space'],
  ['Plane', 'operations or negotiation'],
  ['Wave', 'AppendBatch'],
  ['Company', 'ActiveSenders'],
  ['Docket', 'PendingCalls'],
]);

const EXPORTED_TYPE = /^export (?:declare |abstract )*(?:class|interface|type|enum) (\w+)/gm;

/**
 * Exported types with the same name in two files, one line each: whoever searches for a name should find one thing. And
 * those whose name is a word that the glossary has another word for.
 */
export function typeNameProblems(files: readonly SourceFile[]): readonly string[] {
  const problems: string[] = [];
  const known = new Map<string, string>();
  for (const { path, text } of files) {
    for (const [, name = ''] of text.matchAll(EXPORTED_TYPE)) {
      const other = known.get(name);
      const better = SYNONYMS.get(name);
      if (other !== undefined) problems.push(`${path}: ${name} is also the name of a type in ${other}`);
      if (better !== undefined) problems.push(`${path}: ${name} is not in the glossary; say ${better}`);
      known.set(name, path);
    }
  }
  return problems;
}

/** A comment that begins with a word for something said elsewhere. */
const WITHOUT_SUBJECT =
  /(?:\/\*\*|\/\/)[ \n*]*((?:It|Its|Those|The same (?:for|with|without|as|in|if))\b[^\n]*)/g;

/** Comments that do not name their subject, one line each: they are read alone, in an editor or in the reference. */
export function commentProblems({ path, text }: SourceFile): readonly string[] {
  return Array.from(text.matchAll(WITHOUT_SUBJECT), ({ index, 1: beginning = '' }) => {
    const line = text.slice(0, index).split('\n').length;
    return `${path}:${line}: the comment does not name its subject: ${beginning.slice(0, 60)}`;
  });
}
