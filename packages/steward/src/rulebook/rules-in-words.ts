import { defined } from '@proffer/core/json';
import { listed } from '@proffer/reading';
import type { Condition } from '../rules/conditions/condition.js';
import type { Rule, RuleAction, RuleSet } from '../rules/rule-set.js';

/** A rule in plain language. */
export interface RuleInWords {
  readonly name?: string;
  /** The line of the rule in the file, from 1. */
  readonly line: number;
  readonly action: RuleAction;
  /** The whole rule as a sentence or two. */
  readonly words: string;
  readonly reason?: string;
}

/** Describes each rule, in the order in which they are tried. */
export function rulesInWords({ rules }: Pick<RuleSet, 'rules'>): readonly RuleInWords[] {
  return rules.map(ruleInWords);
}

/** Describes a rule: `Allow write_file by agent if path is "/srv/app/**".` */
export function ruleInWords({ name, line, action, reason, rate, conditions }: Rule): RuleInWords {
  const told = conditions.filter(({ isImplied }) => isImplied !== true);
  const what = told.flatMap((condition) => subjectWords(condition) ?? []);
  const circumstances = told.filter((condition) => subjectWords(condition) === undefined).map(conditionWords);
  const subject = what.length === 0 ? ['any call'] : what;
  const sentence = [
    VERBS[action],
    ...subject,
    ...(circumstances.length === 0 ? [] : ['if', listed(circumstances)]),
  ].join(' ');
  const limit = rate === undefined ? '' : ` At most ${rate.text}; calls beyond that go to the next rule.`;
  return { ...defined({ name }), line, action, words: `${sentence}.${limit}`, ...defined({ reason }) };
}

/** What happens to a call that no rule matches, in plain language. */
export function defaultInWords({ otherwise, rules }: Pick<RuleSet, 'otherwise' | 'rules'>): string {
  const which = rules.length === 0 ? 'every call' : 'everything else';
  return { allow: `Allow ${which}.`, ask: `Ask people about ${which}.`, deny: `Deny ${which}.` }[
    otherwise.action
  ];
}

const VERBS: Readonly<Record<RuleAction, string>> = { allow: 'Allow', ask: 'Ask people about', deny: 'Deny' };

/** The subject of a rule, as far as it belongs right after the verb. */
function subjectWords({ about, expected }: Condition): string | undefined {
  switch (about) {
    case 'tool':
      return expected;
    case 'resource':
      return `reading ${expected}`;
    case 'prompt':
      return `the prompt ${expected}`;
    case 'participant':
      return `by ${expected}`;
    case 'client':
      return `from the client ${expected}`;
    case 'user':
      return `for ${expected}`;
    case 'server':
      return `on ${expected}`;
    default:
      return undefined;
  }
}

function conditionWords({ about, expected }: Condition): string {
  if (about === 'noOtherArguments') return `there are ${expected}`;
  if (about === 'command') return `the command is ${expected}`;
  if (about === 'path') return `it touches ${expected}`;
  if (about === 'host') return `it talks to ${expected}`;
  if (about === 'time') return `the time is ${expected}`;
  const [, hint] = /^annotations\.(.+)$/.exec(about) ?? [];
  if (hint !== undefined) return HINTS[`${hint} ${expected}`] ?? `its server says ${hint} ${expected}`;
  return `${about.replace(/^arguments\./, '')} is ${expected === ANYTHING ? 'anything' : expected}`;
}

/** A pattern that matches everything. */
const ANYTHING = '"**"';

const HINTS: Readonly<Record<string, string>> = {
  'readOnlyHint true': 'its server says that it only reads',
  'readOnlyHint false': 'going by what its server says, it may change something',
  'destructiveHint true': 'it may destroy something, as far as its server says',
  'destructiveHint false': 'its server says that it destroys nothing',
  'idempotentHint true': 'its server says that running it again changes nothing further',
  'openWorldHint false': 'its server says that it reaches no other systems',
};
