import type { CallFacts } from './call-facts.js';
import type { JudgedCall } from './condition.js';

type Hints = JudgedCall['hints'];

/** The hints that MCP defines, each with what holds when a server says nothing. */
export const DEFAULT_HINTS: Hints = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};

export const HINT_NAMES = Object.keys(DEFAULT_HINTS) as readonly (keyof Hints)[];

/** What a file of rules says about the hints of one server. */
export interface ServerTrust {
  /** False: what the server says about its tools does not count. */
  readonly trustHints: boolean;
  /** What holds for its tools, whatever it says. */
  readonly tools: ReadonlyMap<string, Partial<Hints>>;
}

/** By the name of the server; `*` means those that are not named. */
export type ServerHints = ReadonlyMap<string, ServerTrust>;

/** The hints that hold for a call: the file's, else the server's if it is trusted, else the defaults of MCP. */
export function hintsFor(servers: ServerHints, { server, tool, annotations }: CallFacts): Hints {
  const trust = (server === undefined ? undefined : servers.get(server)) ?? servers.get('*');
  if (trust === undefined && annotations === undefined) return DEFAULT_HINTS;
  const said = trust?.trustHints === false ? undefined : annotations;
  const written = trust?.tools.get(tool);
  const hint = (name: keyof Hints): boolean => {
    const value = written?.[name] ?? said?.[name];
    // What a server sends is only typed, not checked.
    return typeof value === 'boolean' ? value : DEFAULT_HINTS[name];
  };
  return {
    readOnlyHint: hint('readOnlyHint'),
    destructiveHint: hint('destructiveHint'),
    idempotentHint: hint('idempotentHint'),
    openWorldHint: hint('openWorldHint'),
  };
}
