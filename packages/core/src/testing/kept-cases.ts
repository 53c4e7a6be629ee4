import { readFileSync } from 'node:fs';

/**
 * Inputs of a property that once failed, or that are worth trying every time. fast-check prints the
 * counterexample and the seed of a failing property; add one of them to the file, so that it is tried
 * first from then on.
 */
export function keptCases<Case>(name: string): Case[] {
  const file = new URL(`../../../../conformance/fixtures/kept/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as Case[];
}
