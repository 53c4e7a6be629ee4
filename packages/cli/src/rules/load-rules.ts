import { type RuleSet, readRuleFile } from '@proffer/steward';
import { CommandFailure, EXIT } from '../command-failure.js';

/** @throws CommandFailure for a file that cannot be read or is invalid */
export async function loadRules(file: string): Promise<RuleSet> {
  const parsed = await readRuleFile(file);
  if (parsed.ok) return parsed.value;
  const { code, message, details } = parsed.refusal;
  throw new CommandFailure({ exit: EXIT.usage, code, message, details });
}
