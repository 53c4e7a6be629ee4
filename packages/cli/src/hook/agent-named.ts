import { AGENT_IDS, findAgent, type HookAgent } from '@proffer/hook';
import { nearest } from '@proffer/reading';
import { usageFailure } from '../command-failure.js';

/** Short names that people type. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['claude', 'claude-code'],
  ['codex-cli', 'codex'],
  ['gemini', 'gemini-cli'],
  ['copilot', 'copilot-cli'],
  ['vs-code', 'vscode'],
  ['code', 'vscode'],
]);

/** The name of a program that somebody typed, if they typed a usual short one. */
export function agentAlias(name: string): string {
  return ALIASES.get(name) ?? name;
}

/**
 * The agent with this name.
 *
 * @throws CommandFailure for one without hooks here
 */
export function agentNamed(name: string, usage: string): HookAgent {
  const agent = findAgent(agentAlias(name));
  if (agent !== undefined) return agent;
  const meant = nearest(name, AGENT_IDS);
  throw usageFailure(
    `There is no hook for ${JSON.stringify(name)}. The agents are ${AGENT_IDS.join(', ')}.`,
    meant === undefined ? [] : [`${usage} ${meant}`],
  );
}
