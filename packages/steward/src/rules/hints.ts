import type { CallFacts } from './call-facts.js';
import type { JudgedCall } from './conditions/condition.js';

type Hints = JudgedCall['hints'];

/** The hints that MCP defines, each with its default. */
export const DEFAULT_HINTS: Hints = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};

export const HINT_NAMES = Object.keys(DEFAULT_HINTS) as readonly (keyof Hints)[];

/** What a rule file says about the hints of one server. */
export interface ServerTrust {
  /**
   * Whether the server's hints about its tools count. Unless it says so, those count that the caller of the rules knows:
   * a guard asks people once, and has none before.
   */
  readonly trustHints?: boolean;
  /** Hints for its tools that override the server's. */
  readonly tools: ReadonlyMap<string, Partial<Hints>>;
}

/** By server name; `*` stands for all servers not listed. */
export type ServerHints = ReadonlyMap<string, ServerTrust>;

/** Whether a rule file trusts a server's hints; `undefined` if it does not say. */
export function trustsHints(servers: ServerHints, server: string): boolean | undefined {
  return (servers.get(server) ?? servers.get('*'))?.trustHints;
}

/** The hints that apply to a call: the file's, else the server's if it is trusted, else MCP's defaults. */
export function hintsFor(servers: ServerHints, { server, tool, annotations }: CallFacts): Hints {
  const trust = (server === undefined ? undefined : servers.get(server)) ?? servers.get('*');
  if (trust === undefined && annotations === undefined) return DEFAULT_HINTS;
  const said = trust?.trustHints === false ? undefined : annotations;
  const written = trust?.tools.get(tool);
  const hint = (name: keyof Hints): boolean => {
    const value = written?.[name] ?? said?.[name];
    // What a server sends is typed but not checked.
    return typeof value === 'boolean' ? value : DEFAULT_HINTS[name];
  };
  // A server that says both is not believed the harmless part.
  const isDestructive = (written?.destructiveHint ?? said?.destructiveHint) === true;
  return {
    readOnlyHint: written?.readOnlyHint ?? (hint('readOnlyHint') && !isDestructive),
    destructiveHint: hint('destructiveHint'),
    idempotentHint: hint('idempotentHint'),
    openWorldHint: hint('openWorldHint'),
  };
}
