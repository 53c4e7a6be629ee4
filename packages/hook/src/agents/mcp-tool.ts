import type { McpTool } from './hook-call.js';

/** How an agent makes one name out of a server's and a tool's. */
export interface McpNames {
  readonly prefix: string;
  /** Empty if there is only the tool's. */
  readonly separator: string;
  /** A server's name as it is written in the name of a tool. */
  readonly spelled: (server: string) => string;
  /** The servers that it has without any settings. */
  readonly builtIn?: readonly string[];
}

/** Which server's tool a name stands for, as far as known; empty if it is not a tool of a server. */
export interface FoundTool {
  readonly mcp?: McpTool;
  readonly mayBe?: readonly McpTool[];
}

/**
 * Takes the name of a tool apart, by the longest server that is known. A name that may also stand for a server that is not
 * known (`github__evil`) is not guessed.
 */
export function findMcpTool(name: string, names: McpNames, servers: readonly string[]): FoundTool {
  const { prefix, separator } = names;
  const readings = name.startsWith(prefix) ? splitsOf(name.slice(prefix.length), separator) : [];
  const isServers = prefix === '' ? readings.length > 0 : name.startsWith(prefix);
  if (!isServers) return {};
  const known = [...(names.builtIn ?? []), ...servers].map((server) => names.spelled(server));
  const longest = readings.findLast(({ server = '' }) => known.includes(server));
  const isOneOfTwo = known.filter((server) => server === longest?.server).length > 1;
  // Between words, a hyphen is too common to be taken for the separator.
  const hasMore = separator === '__' && longest?.tool.includes(separator) === true;
  return longest === undefined || isOneOfTwo || hasMore ? { mayBe: readings } : { mcp: longest };
}

/** Every way in which a name can be taken apart, the shortest server first. */
function splitsOf(name: string, separator: string): readonly McpTool[] {
  if (separator === '') return [{ tool: name }];
  const splits: McpTool[] = [];
  for (let at = name.indexOf(separator, 1); at !== -1; at = name.indexOf(separator, at + 1)) {
    const tool = name.slice(at + separator.length);
    if (tool !== '') splits.push({ server: name.slice(0, at), tool });
  }
  return splits;
}
