import type { JsonObject } from '@proffer/core/json';
import type { CommandFacts, PathNames } from './effects/index.js';

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
  /** What else rules may call the participant: `files` for `files-2`, the second guard of the server `files`. */
  readonly alias?: string;
  /** The client behind a guard, as it calls itself. */
  readonly client?: string;
  /** The person behind a guard, or the name of the token that the call came with, as the guard knows it. */
  readonly user?: string;
  /** Who would run it; absent when that is not known. */
  readonly server?: string;
  /** The MCP method. Default `tools/call`. */
  readonly method?: string;
  /** The tool's name; for another method than `tools/call`, the method. */
  readonly tool: string;
  /** Of a tool; for another method, its params. */
  readonly arguments: JsonObject;
  /** As the server announces them; what is absent has the default of MCP. */
  readonly annotations?: ToolAnnotations;
  /** The command that it runs, if it is part of a shell line that was parsed. */
  readonly command?: CommandFacts;
  /** The files that it touches; absent if unknown. Then texts in its arguments that look like paths count. */
  readonly paths?: readonly PathNames[];
  /**
   * The hosts that it talks to, `null` for one that is not known; absent if unknown. Then URLs in its arguments count.
   */
  readonly hosts?: readonly (string | null)[];
  /** Milliseconds since 1970. */
  readonly time: number;
}
