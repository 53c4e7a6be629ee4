// Imported by the launcher, whose start-up time every call pays: it imports nothing itself.

/** The output of a command hook; over HTTP, `stdout` is the body. */
export interface HookOutput {
  readonly stdout: string;
  readonly exitCode: number;
}

/** What to tell an agent when no one decided: to ask its own user, or to skip the call. */
export type WhenUnavailable = 'ask' | 'deny';

interface Undecided {
  readonly agent: string;
  readonly event: string;
  readonly tool: string;
  /** One sentence for people. */
  readonly reason: string;
  readonly otherwise: WhenUnavailable;
}

/** An answer in JSON. */
export function answerOf(value: object): HookOutput {
  return { stdout: `${JSON.stringify(value)}\n`, exitCode: 0 };
}

/** Leaves it to what the agent would do without a hook. */
export const NO_OPINION: HookOutput = answerOf({});

/**
 * The answer to an agent when no one decided: no gateway, no answer in time, an unreadable event. The agent asks its
 * own user if its hooks allow that; otherwise the answer is no. It is never yes.
 */
export function undecidedAnswer({ agent, event, tool, reason, otherwise }: Undecided): HookOutput {
  const isDenied = otherwise === 'deny';
  // Nothing is decided about a call that has run.
  if (isReport(event)) return NO_OPINION;
  switch (agent) {
    case 'claude-code':
      if (event === 'PermissionRequest') return isDenied ? claudePermission(event, reason) : NO_OPINION;
      return claudeTool('PreToolUse', isDenied ? 'deny' : 'ask', reason);
    case 'codex':
      if (event === 'PermissionRequest') return isDenied ? claudePermission(event, reason) : NO_OPINION;
      // Codex does not accept "ask" here, and would run what its sandbox allows.
      return claudeTool('PreToolUse', 'deny', reason);
    case 'gemini-cli':
      return answerOf({ decision: isDenied ? 'deny' : 'ask', reason });
    case 'cursor':
      return cursor(event, tool, { reason, isDenied });
    case 'copilot-cli':
      if (isPermission(event)) return isDenied ? answerOf({ behavior: 'deny', message: reason }) : NO_OPINION;
      return answerOf({ permissionDecision: isDenied ? 'deny' : 'ask', permissionDecisionReason: reason });
    default:
      // No known agent reads this as a yes.
      return { stdout: '', exitCode: 2 };
  }
}

/** Whether an agent reports in an event how a call ended. */
export function isReport(event: string): boolean {
  return /^(?:post|after)tool/i.test(event);
}

/** Whether an event is about a question that the agent would ask its own user. */
export function isPermission(event: string): boolean {
  return event.toLowerCase() === 'permissionrequest';
}

function claudeTool(hookEventName: string, permissionDecision: string, reason: string): HookOutput {
  return answerOf({
    hookSpecificOutput: { hookEventName, permissionDecision, permissionDecisionReason: reason },
  });
}

function claudePermission(hookEventName: string, message: string): HookOutput {
  return answerOf({ hookSpecificOutput: { hookEventName, decision: { behavior: 'deny', message } } });
}

/**
 * Cursor ignores "ask" before a tool, but honours it before a shell command and an MCP call, which it
 * asks about again.
 */
function cursor(
  event: string,
  tool: string,
  { reason, isDenied }: { readonly reason: string; readonly isDenied: boolean },
): HookOutput {
  const isAskedAgain = event === 'preToolUse' && /^(?:Shell$|MCP:)/.test(tool);
  if (isAskedAgain && !isDenied) return NO_OPINION;
  const permission = isDenied || event === 'preToolUse' ? 'deny' : 'ask';
  return answerOf({ permission, user_message: reason, agent_message: reason });
}
