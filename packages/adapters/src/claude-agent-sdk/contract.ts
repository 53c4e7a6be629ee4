/**
 * The parts of the Claude Agent SDK's callback types used here. Declared here, because the SDK
 * contains a program of hundreds of megabytes that building and testing this does not need.
 */

export type PermissionResult =
  | { behavior: 'allow'; updatedInput?: Record<string, unknown> }
  | { behavior: 'deny'; message: string; interrupt?: boolean };

/** The option `canUseTool`. */
export type CanUseTool = (
  toolName: string,
  input: Record<string, unknown>,
  options: {
    signal: AbortSignal;
    toolUseID: string;
    decisionReason?: string;
    title?: string;
  },
) => Promise<PermissionResult>;

/** The input of the hooks used here. */
export type ToolHookInput = {
  hook_event_name: string;
  session_id?: string;
  tool_use_id?: string;
  tool_response?: unknown;
  error?: string;
};

export type HookCallback = (
  input: ToolHookInput,
  toolUseID: string | undefined,
  options: { signal: AbortSignal },
) => Promise<Record<string, never>>;

/** The option `hooks`, with the events used here. */
export type ToolHooks = {
  PostToolUse: { hooks: HookCallback[] }[];
  PostToolUseFailure: { hooks: HookCallback[] }[];
};
