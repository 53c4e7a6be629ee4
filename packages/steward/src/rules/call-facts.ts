import type { JsonObject } from '@proffer/core';

/**
 * What a server says about its tool, as MCP defines it. Hints, not promises: a file of rules may
 * overrule them, server by server.
 */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** Everything that rules look at. */
export interface CallFacts {
  /** Who wants it. */
  readonly participant: string;
  /** Who would run it; absent when that is not known. */
  readonly server?: string;
  /** The tool's name; for another method than `tools/call`, the method. */
  readonly tool: string;
  readonly arguments: JsonObject;
  /** As the server announces them; what is absent has the default of MCP. */
  readonly annotations?: ToolAnnotations;
  /** Milliseconds since 1970. */
  readonly time: number;
}
