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
