import { type Participant, RefusedError } from '@proffer/client/participation';
import { type RuleOwner, rulesAnnouncement } from '../rulebook/index.js';
import type { RuleSet } from '../rules/rule-set.js';

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
