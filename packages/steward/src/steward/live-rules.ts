import { type Participant, RefusedError } from '@proffer/client/participation';
import type { Refusal } from '@proffer/core';
import { type RuleOwner, rulesAnnouncement } from '../rulebook/index.js';
import type { CallFacts } from '../rules/call-facts.js';
import { decideByRules, type RuleDecision } from '../rules/decide-by-rules.js';
import type { RuleSet } from '../rules/rule-set.js';
import { createRuleUsage } from '../rules/rule-usage.js';
import { watchRuleFile } from './rule-file.js';

/** Rules that follow their file. */
export interface LiveRules {
  /** The rules in use. */
  readonly current: RuleSet;
  /** Stops watching the file. */
  close(): void;
}

/** What happened to a rule file: `rules` are those in use. */
export type RulesNews =
  | { readonly type: 'changed' | 'valid_again'; readonly rules: RuleSet }
  | { readonly type: 'invalid'; readonly rules: RuleSet; readonly refusal: Refusal };

/**
 * Follows a rule file, starting from the rules last read from it. If the file becomes invalid or
 * disappears, the previous rules stay in use until it is valid again.
 *
 * @param onNews - called for every change, and once for each problem
 */
export function followRules(rules: RuleSet, onNews: (news: RulesNews) => void): LiveRules {
  let current = rules;
  const watched = watchRuleFile(rules.source, {
    version: rules.version,
    onRules: (next) => {
      current = next;
      onNews({ type: 'changed', rules: current });
    },
    onRight: () => onNews({ type: 'valid_again', rules: current }),
    onProblem: (refusal) => onNews({ type: 'invalid', rules: current, refusal }),
  });
  // Changes since the rules were read are noticed, too.
  void watched.reload();
  return {
    get current() {
      return current;
    },
    close: () => watched.close(),
  };
}

/** News about a rule file for people, one line each. */
export function describeRulesNews(news: RulesNews): readonly string[] {
  const { source, version } = news.rules;
  switch (news.type) {
    case 'changed':
      return [`${source} changed. Version ${version} is now in force.`];
    case 'valid_again':
      return [`${source} is valid again. Version ${version} stays in force.`];
    case 'invalid':
      return [
        `${source} IS INVALID and was not loaded. Version ${version} stays in force:`,
        ...news.refusal.message.split('\n').map((line) => `    ${line}`),
      ];
  }
}

/** Decides calls by the rules in use at the time, and counts what rules with a rate allow. */
export function rulesDecider(live: Pick<LiveRules, 'current'>): (call: CallFacts) => RuleDecision {
  const usage = createRuleUsage();
  return (call) => {
    const decision = decideByRules(live.current, call, usage);
    usage.count(live.current, decision, call.time);
    return decision;
  };
}

/**
 * Publishes a participant's rules to its space, without the comments of their file. Call it when they
 * are first used and when they change. Never fails: deciding continues even if the rules cannot be
 * published.
 *
 * @param onProblem - called with a sentence if they cannot be published
 */
export async function publishRules(
  participant: Pick<Participant, 'send'>,
  rules: RuleSet,
  { owner, onProblem }: { readonly owner: RuleOwner; readonly onProblem: (sentence: string) => void },
): Promise<void> {
  try {
    await participant.send(rulesAnnouncement(rules, owner));
  } catch (error) {
    // A lost connection is reported where it is used.
    if (error instanceof RefusedError) onProblem(`The console cannot show these rules: ${error.message}`);
  }
}
