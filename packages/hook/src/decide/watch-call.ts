import type { JsonObject } from '@proffer/core/json';
import type { ObservedCall } from '@proffer/core/operations';
import type { CallFacts } from '@proffer/steward';
import type { HookCall } from '../agents/index.js';
import { type Grounds, type HookDecision, judgeCall } from './decide-call.js';

/** What would have become of a call, and what is recorded about it if it is only watched (O-50). */
export interface WatchedDecision {
  readonly decision: HookDecision;
  readonly watched: Pick<ObservedCall, 'reads' | 'isProtected' | 'open'>;
}

/** Decides a call without asking, allowing or denying anything. */
export function watchCall(call: HookCall, grounds: Grounds): WatchedDecision {
  const { decision, each = [] } = judgeCall(call, grounds);
  const reads = each.length > 0 && each.every(({ facts }) => facts.annotations?.readOnlyHint === true);
  const unanswered = each.filter((one) => one.decision.action === 'ask' && one.decision.rule === undefined);
  const parts = unanswered.map(({ facts }) => partOf(facts, call));
  const isExpressible = unanswered.length > 0 && parts.every((part) => part !== undefined);
  return {
    decision,
    watched: {
      ...(reads ? { reads } : {}),
      ...(decision.isProtected === true ? { isProtected: true } : {}),
      ...(decision.action === 'ask' ? { open: isExpressible ? parts : [] } : {}),
    },
  };
}

/** A command whose words mean the same in a rule. */
const PLAIN = /^[\w@%+=:,./~-]+(?: [\w@%+=:,./~-]+)*$/;
/** Of a tool that reads, judging by its name. */
const READING = /^(?:get|list|read|search|find|query|fetch|describe|show)(?:[_A-Z-]|$)/;

/** The conditions of a rule about exactly this piece; `undefined` if none is narrow enough. */
function partOf(
  { command, paths = [], hosts = [], tool }: CallFacts,
  { agent, mcp }: HookCall,
): JsonObject | undefined {
  const own = { server: agent, tool };
  if (command !== undefined) {
    const { words, variables = [] } = command;
    const text = words.map((word) => word ?? '"').join(' ');
    return variables.length === 0 && PLAIN.test(text) ? { ...own, command: text } : undefined;
  }
  if (mcp !== undefined) return mcp.server !== undefined && READING.test(mcp.tool) ? { ...mcp } : undefined;
  const files = paths.map(([name]) => name);
  if (files.length > 0) return files.includes(undefined) ? undefined : { ...own, path: files as string[] };
  if (hosts.length > 0) return hosts.includes(null) ? undefined : { ...own, host: hosts as string[] };
  return undefined;
}
