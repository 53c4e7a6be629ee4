import { type Participant, RefusedError } from '@proffer/client/participation';
import { type RuleOwner, rulesAnnouncement } from '../rulebook/index.js';
import type { RuleSet } from '../rules/rule-set.js';

/**
 * Shows the rules that a participant decides by to its space: what they say, without the comments of their file. Call
 * it when they are first used and when they changed. Never fails: deciding continues even if the rules cannot be shown.
 *
 * @param onProblem - called with a sentence if they cannot be shown
 */
export async function publishRules(
  participant: Pick<Participant, 'send'>,
  rules: RuleSet,
  { owner, onProblem }: { readonly owner: RuleOwner; readonly onProblem: (sentence: string) => void },
): Promise<void> {
  try {
    await participant.send(rulesAnnouncement(rules, owner));
  } catch (error) {
    // A connection that is gone is reported where it is used.
    if (error instanceof RefusedError) onProblem(`The console cannot show these rules: ${error.message}`);
  }
}
