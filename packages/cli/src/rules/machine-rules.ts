import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** In the guards' folder: the rules of guards and hooks on this machine that name no others. */
export function machineRulesFile(folder: string): string {
  return join(folder, 'rules.yaml');
}

/** The rule file of this machine, if there is one. */
export function machineRules(folder: string): string | undefined {
  const file = machineRulesFile(folder);
  return existsSync(file) ? file : undefined;
}
