import { parseRules, type RuleSet } from '@proffer/steward';
import type { PathLookup } from '@proffer/steward/disk';
import { AGENT_IDS, AGENTS, type HookCall } from '../agents/index.js';
import type { Grounds } from '../decide/index.js';

/** Rules from their text. */
export function rulesOf(text: string): RuleSet {
  const parsed = parseRules(text, 'rules.yaml');
  if (!parsed.ok) throw new Error(parsed.refusal.message);
  return parsed.value;
}

/** A shell call of Claude Code. */
export function shellCall(line: string, more: Partial<HookCall> = {}): HookCall {
  return {
    agent: 'claude-code',
    event: 'PreToolUse',
    stage: 'tool',
    folder: '/home/ada/app',
    tool: 'Bash',
    arguments: { command: line },
    effect: { type: 'shell', line },
    ...more,
  };
}

/** A file system without links, of which nothing is known. */
const NO_LINKS: PathLookup = { linkAt: () => 'missing', identityOf: () => undefined, idsIn: () => new Set() };

/** The inputs of a decision in an environment without links. */
export function groundsOf(rules: string, more: Partial<Grounds> = {}): Grounds {
  return {
    rules: rulesOf(rules),
    guarded: {
      folders: ['/home/ada/.local/share/proffer/guard', '/home/ada/.config/proffer'],
      files: ['/home/ada/rules.yaml'],
      endings: AGENT_IDS.flatMap((id) => AGENTS[id].settings.all),
      ports: [7421, 7422],
    },
    home: '/home/ada',
    disk: NO_LINKS,
    time: 0,
    ...more,
  };
}
