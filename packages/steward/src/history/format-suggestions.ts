import { canonicalJson, makeVisible } from '@proffer/core/json';
import { formatYaml, listed } from '@proffer/reading';
import type { PastProposal } from './past-proposal.js';
import type { PassedOver, Suggestion, Suggestions } from './suggest.js';

const MAX_SHOWN = 10;
/** The maximum length of one call's arguments, in characters. */
const LONGEST = 100;
const PAST = { allow: 'allowed', deny: 'denied', amend: 'changed' } as const;

/**
 * Suggestions as a rule file. Comments above each rule say which decisions it is based on and what it
 * would have decided that no one did; the end lists what is not suggested and why.
 */
export function formatSuggestions({ suggestions, passedOver }: Suggestions): string {
  const rules =
    suggestions.length === 0
      ? '# Nothing to suggest yet.\nrules: []\n'
      : `rules:\n${suggestions.map(formatSuggestion).join('\n')}`;
  return [rules, ...passedOver.map(formatPassedOver)].join('\n');
}

function formatSuggestion({ rule, free, evidence, backtest, newlyAutomatic }: Suggestion): string {
  const verb = rule.action === 'allow' ? 'allowed' : 'denied';
  const shown = evidence.slice(-MAX_SHOWN);
  const older = evidence.length - shown.length;
  const comments = [
    `${verb} ${evidence.length} times${older === 0 ? ':' : `, the last ${shown.length}:`}`,
    ...shown.map((proposal) => describePast(proposal, free)),
    ...(free.length === 0 ? [] : [`may be anything: ${listed(free)}`]),
    `backtest: reproduces ${backtest.same}, contradicts ${backtest.different}, newly automatic ${backtest.newly_automatic}${newlyAutomatic.length === 0 ? '' : ':'}`,
    ...newlyAutomatic.slice(-MAX_SHOWN).map(({ proposal }) => describePast(proposal, free)),
  ];
  const written = formatYaml([rule]).trimEnd();
  return [...comments.map(comment), ...written.split('\n')]
    .map((line) => `  ${line}`)
    .join('\n')
    .concat('\n');
}

function formatPassedOver({ rule, free, evidence, different }: PassedOver): string {
  const lines = [
    `Not suggested: ${rule.action} ${rule.name}`,
    `${evidence.length} decisions follow it; it would have decided ${different.length} differently:`,
    ...different.slice(-MAX_SHOWN).map(({ proposal }) => describePast(proposal, free)),
  ];
  return lines.map(comment).join('\n').concat('\n');
}

/** Arguments that may be anything are left out: they may be long, or not belong in a rule file. */
function describePast({ id, call, decided }: PastProposal, free: readonly string[]): string {
  const looked = Object.entries(call.arguments).filter(([name]) => !free.includes(name));
  const whole = canonicalJson(Object.fromEntries(looked));
  const given = whole.length <= LONGEST ? whole : `${whole.slice(0, LONGEST).toWellFormed()}…`;
  if (decided === undefined) return `  ${id}  ${given}  nobody decided`;
  return `  ${id}  ${given}  ${PAST[decided.decision]} by ${decided.by}  ${formatTime(decided.at)}`;
}

function comment(line: string): string {
  return `# ${makeVisible(line)}`;
}

function formatTime(time: number): string {
  return Math.abs(time) <= 8.64e15 ? new Date(time).toISOString() : 'at no known time';
}
