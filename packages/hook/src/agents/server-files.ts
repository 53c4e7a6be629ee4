import { dirname, join } from 'node:path';
import { type JsonValue, objectOf } from '@proffer/core/json';

/** Where an agent runs. */
export interface AgentPlace {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The agent's working folder. */
  readonly folder: string;
}

/** A file that an agent has the names of MCP servers in. */
export interface ServerFile {
  readonly path: string;
  /** The names in its text; `undefined` if it cannot be understood. */
  readonly namesIn: (text: string) => readonly string[] | undefined;
}

/** A JSON file with `mcpServers`. */
export function jsonServers(
  path: string,
  pick: (root: JsonValue) => readonly JsonValue[] = (root) => [root],
): ServerFile {
  return {
    path,
    namesIn: (text) => {
      try {
        const root = JSON.parse(text) as JsonValue;
        return pick(root).flatMap((part) => Object.keys(objectOf(objectOf(part)['mcpServers'])));
      } catch {
        return undefined;
      }
    },
  };
}

/** The file in which Claude Code keeps servers for all projects, and for each. */
export function claudeServers(path: string, folder: string): ServerFile {
  return jsonServers(path, (root) => {
    const projects = objectOf(objectOf(root)['projects']);
    return [root, ...foldersUpwards(folder).flatMap((one) => projects[one] ?? [])];
  });
}

/**
 * A TOML file with tables `mcp_servers.NAME`. Written in any other way, the names are not understood: a server that is
 * overlooked could pass for another.
 */
export function tomlServers(path: string): ServerFile {
  return {
    path,
    namesIn: (text) => {
      const names: string[] = [];
      for (const line of text.split('\n')) {
        if (!line.includes('mcp_servers') || line.trim().startsWith('#')) continue;
        const found = /^\s*\[\s*mcp_servers\s*\.\s*(?:([\w-]+)|"([^"\\]+)"|'([^']+)')\s*[.\]]/.exec(line);
        const name = found?.[1] ?? found?.[2] ?? found?.[3];
        if (name === undefined) return undefined;
        names.push(name);
      }
      return names;
    },
  };
}

/** Files of a name in a folder and in those above it. */
export function fileUpwards(folder: string, name: string): readonly string[] {
  return foldersUpwards(folder).map((one) => join(one, name));
}

/** A folder and those above it. */
export function foldersUpwards(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersUpwards(parent)];
}
