import type { JsonObject } from '@proffer/core/json';
import type { CommandFacts, PathNames } from './effects/index.js';

/**
 * What a server says about its tool, as MCP defines it. Hints, not promises: a rule file may override
 * them per server.
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
  /** Who wants the call. */
  readonly participant: string;
  /**
   * Other names that rules may use for the participant: `files` for `files-2`, the second guard of the
   * server `files`.
   */
  readonly alias?: string;
  /** The client behind a guard, by its own name. */
  readonly client?: string;
  /** The person behind a guard, or the name of the token used for the call, as the guard knows it. */
  readonly user?: string;
  /** Who would run it; absent if unknown. */
  readonly server?: string;
  /** The MCP method. Default `tools/call`. */
  readonly method?: string;
  /** The tool's name; for methods other than `tools/call`, the method. */
  readonly tool: string;
  /** The tool's arguments; for other methods, the params. */
  readonly arguments: JsonObject;
  /** What the server says about the tool, if somebody trusts that; absent hints have MCP's defaults. */
  readonly annotations?: ToolAnnotations;
  /** The command it runs, if it is part of a parsed shell line. */
  readonly command?: CommandFacts;
  /**
   * The files it touches, by every place that their paths lead through; absent if unknown. Then argument texts that look
   * like paths count.
   */
  readonly paths?: readonly PathNames[];
  /**
   * Every place that an absolute path in the arguments leads through where the call runs; absent if unknown. Then a
   * path leads where it says.
   */
  readonly locate?: (path: string) => readonly PathNames[];
  /**
   * The hosts it talks to, `null` for an unknown one; absent if unknown. Then URLs in its arguments
   * count.
   */
  readonly hosts?: readonly (string | null)[];
  /** Milliseconds since 1970. */
  readonly time: number;
}
