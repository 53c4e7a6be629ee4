import { makeVisible } from '@proffer/core';
import { stringify } from 'yaml';
import type { Suggestion } from './suggest.js';

const MOST_EVIDENCE = 10;

/** Suggestions as a file of rules, each with its evidence and its backtest as comments above it. */
export function formatSuggestions(suggestions: readonly Suggestion[]): string {
  if (suggestions.length === 0) return '# Nothing to suggest yet.\nrules: []\n';
  return `rules:\n${suggestions.map(formatSuggestion).join('\n')}`;
}

function formatSuggestion({ rule, evidence, backtest }: Suggestion): string {
  const verb = rule.action === 'allow' ? 'allowed' : 'denied';
  const shown = evidence.slice(-MOST_EVIDENCE);
  const older = evidence.length - shown.length;
  const comments = [
    `${verb} ${evidence.length} times${older === 0 ? ':' : `, the last ${shown.length}:`}`,
    ...shown.map(({ id, decided }) => `  ${id}  by ${decided.by}  ${formatTime(decided.at)}`),
    `backtest: reproduces ${backtest.same}, contradicts ${backtest.different}, newly automatic ${backtest.newly_automatic}`,
  ];
  const written = stringify([rule], { lineWidth: 0 }).trimEnd();
  return [...comments.map((line) => `# ${makeVisible(line)}`), ...written.split('\n')]
    .map((line) => `  ${line}`)
    .join('\n')
    .concat('\n');
}

function formatTime(time: number): string {
  return Math.abs(time) <= 8.64e15 ? new Date(time).toISOString() : 'at no known time';
}
