import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type RuleSet, readRuleFile } from '@proffer/steward';
import { CommandFailure, EXIT } from '../command-failure.js';

/** @throws CommandFailure for a file that cannot be read or is invalid */
export async function loadRules(file: string): Promise<RuleSet> {
  const parsed = await readRuleFile(file);
  if (parsed.ok) return parsed.value;
  const { code, message, details } = parsed.refusal;
  throw new CommandFailure({ exit: EXIT.usage, code, message, details });
}

/** In the guards' folder: the rules of guards and hooks on this machine that name no others. */
export function machineRulesFile(folder: string): string {
  return join(folder, 'rules.yaml');
}

/** The rule file of this machine, if there is one. */
export function machineRules(folder: string): string | undefined {
  const file = machineRulesFile(folder);
  return existsSync(file) ? file : undefined;
}
