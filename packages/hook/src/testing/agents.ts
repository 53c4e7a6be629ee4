import { defined, isJsonObject, type JsonObject, type JsonValue, parseJson } from '@proffer/core/json';
import { AGENTS, type AgentId } from '../agents/index.js';
import type { HookOutput } from '../launch/index.js';

/** How an agent interprets an answer, in one form for all: according to its documentation and source. */
export interface Understood {
  /** `runs`, `refuses`, `asks` its own user, or falls back to its `own` rules. */
  readonly does: 'runs' | 'refuses' | 'asks' | 'own';
  /** What the model is told. */
  readonly told?: string;
  /** The arguments it runs with, if changed. */
  readonly instead?: JsonObject;
}

const YES_OR_NO: Words = { allow: 'runs', deny: 'refuses' };
const OR_ASK: Words = { ...YES_OR_NO, ask: 'asks' };

/** Interprets an answer as the agent would. */
export function understand(agent: AgentId, event: string, { stdout, exitCode }: HookOutput): Understood {
  if (exitCode !== 0) throw new Error(`${agent} got the exit code ${exitCode}`);
  const parsed = parseJson(stdout);
  if (!parsed.ok || !isJsonObject(parsed.value)) throw new Error(`${agent} got no JSON: ${stdout}`);
  const answer = parsed.value;
  switch (agent) {
    case 'claude-code':
      return claude(answer, event, OR_ASK);
    case 'codex':
      return claude(answer, event, YES_OR_NO);
    case 'gemini-cli': {
      const specific = objectIn(answer, 'hookSpecificOutput');
      return said(OR_ASK, answer['decision'], textOf(answer['reason']), objectOf(specific['tool_input']));
    }
    case 'cursor': {
      // Before a tool, Cursor reads "ask" as a yes.
      const does: Words = event === 'preToolUse' ? YES_OR_NO : OR_ASK;
      return said(
        does,
        answer['permission'],
        textOf(answer['agent_message']),
        objectOf(answer['updated_input']),
      );
    }
    case 'copilot-cli': {
      if (event === 'permissionRequest')
        return said(YES_OR_NO, answer['behavior'], textOf(answer['message']));
      const told = textOf(answer['permissionDecisionReason']);
      return said(OR_ASK, answer['permissionDecision'], told, objectOf(answer['modifiedArgs']));
    }
  }
}

function claude(answer: JsonObject, event: string, does: Words): Understood {
  const specific = objectIn(answer, 'hookSpecificOutput');
  if (Object.keys(answer).length > 0 && specific['hookEventName'] !== event)
    throw new Error('for another event');
  if (event === 'PermissionRequest') {
    const decision = objectIn(specific, 'decision');
    const instead = objectOf(decision['updatedInput']);
    return said(
      { allow: 'runs', deny: 'refuses' },
      decision['behavior'],
      textOf(decision['message']),
      instead,
    );
  }
  const told = textOf(specific['permissionDecisionReason']);
  return said(does, specific['permissionDecision'], told, objectOf(specific['updatedInput']));
}

type Words = Readonly<Record<string, Understood['does']>>;

function said(does: Words, word: unknown, told?: string, instead?: JsonObject): Understood {
  const known = typeof word === 'string' ? does[word] : undefined;
  if (word !== undefined && known === undefined)
    throw new Error(`an answer that is not understood: ${JSON.stringify(word)}`);
  return { does: known ?? 'own', ...defined({ told, instead }) };
}

function objectIn(object: JsonObject, key: string): JsonObject {
  return objectOf(object[key]) ?? {};
}

function objectOf(value: JsonValue | undefined): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The name of the first event that an agent sends. */
export function firstEvent(agent: AgentId): string {
  return AGENTS[agent].events[0] ?? '';
}
