import { AGENTS, type AgentPlace, findMcpTool, type HookCall, type ServerFile } from '../agents/index.js';
import { readRegularFile, versionOf } from '../settings/index.js';

/** A call with the MCP server that has its tool, if that is one of those in the agent's settings. */
export type WithServer = (call: HookCall) => HookCall;

/** Looks servers up where agents have them; a file is read again when it has changed. */
export function createWithServer({ home, env }: Omit<AgentPlace, 'folder'>): WithServer {
  const seen = new Map<string, { readonly version: string; readonly names: readonly string[] | undefined }>();
  const namesIn = ({ path, namesIn: read }: ServerFile, folder: string): readonly string[] | undefined => {
    const version = versionOf(path);
    if (version === undefined) return [];
    // What a file says may depend on the folder.
    const key = JSON.stringify([path, folder]);
    const known = seen.get(key);
    if (known?.version === version) return known.names;
    const names = readNames(path, read);
    if (seen.size >= MOST) seen.clear();
    seen.set(key, { version, names });
    return names;
  };
  return (call) => {
    if (call.mayBe === undefined) return call;
    const { mcpNames, serverFiles } = AGENTS[call.agent];
    const { folder } = call;
    const found = serverFiles({ home, env, folder }).map((file) => namesIn(file, folder));
    // A server in a file that cannot be read could pass for one in another.
    const known = found.includes(undefined) ? [] : found.flatMap((names) => names ?? []);
    const { mayBe: _unknown, ...rest } = call;
    return { ...rest, ...findMcpTool(call.tool, mcpNames, [...new Set(known)]) };
  };
}

/** How many files are remembered. */
const MOST = 1_000;

function readNames(path: string, read: ServerFile['namesIn']): readonly string[] | undefined {
  try {
    return read(readRegularFile(path).toString('utf8'));
  } catch {
    return undefined;
  }
}
