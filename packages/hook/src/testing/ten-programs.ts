import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import type { Machine } from '../connect/index.js';

/** A home folder, and everything in it. */
export interface TestHome extends Disposable {
  readonly folder: string;
  readonly machine: Machine;
  /** The guards' folder. */
  readonly data: string;
  path(name: string): string;
  read(name: string): string;
  write(name: string, text: string): void;
  /** Every file with its content and mode, but for Proffer's own. */
  snapshot(): Readonly<Record<string, string>>;
}

/** Makes a home folder with files in it. */
export function createHome(
  files: Readonly<Record<string, string>>,
  platform: NodeJS.Platform = 'linux',
): TestHome {
  const folder = mkdtempSync(join(tmpdir(), 'proffer-home-'));
  const data = join(folder, '.local', 'share', 'proffer', 'guard');
  const path = (name: string): string => join(folder, name);
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), text, { mode: 0o640 });
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  return {
    folder,
    machine: { home: folder, env: {}, platform },
    data,
    path,
    read: (name) => readFileSync(path(name), 'utf8'),
    write,
    snapshot: () =>
      Object.fromEntries(entriesIn(folder, folder).filter(([name]) => !name.startsWith('.local'))),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function entriesIn(folder: string, root: string): readonly (readonly [string, string])[] {
  const found: (readonly [string, string])[] = [];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const name = relative(root, path);
    if (entry.isDirectory()) found.push([`${name}/`, ''], ...entriesIn(path, root));
    else
      found.push([
        name,
        `${(statSync(path).mode & 0o777).toString(8)} ${readFileSync(path).toString('base64')}`,
      ]);
  }
  return found;
}

/** Settings of all ten programs, in the forms that their documentation shows, as people have them after some years. */
export const TEN_PROGRAMS: Readonly<Record<string, string>> = {
  '.claude.json': `{
  "numStartups": 41,
  "tipsHistory": {"new-user-warmup": 1,
     "shift-enter":   27},
  "mcpServers": {
    "github": {
      "type": "stdio",
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-github"],
      "env": { "GITHUB_PERSONAL_ACCESS_TOKEN": "ghp_0123456789abcdef" }
    },
    "sentry": { "type": "http", "url": "https://mcp.sentry.dev/mcp" }
  },
  "projects": {
    "/home/me/shop": {
      "allowedTools": [],
      "mcpServers": { "database": { "command": "/opt/db mcp/bin/serve" } }
    }
  }
}`,
  '.claude/settings.json': `{
\t"permissions": { "allow": ["Bash(npm test:*)"], "deny": [] },
\t"hooks": {
\t\t"PreToolUse": [
\t\t\t{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "~/bin/log.sh" }] }
\t\t],
\t\t"Stop": []
\t}
}
`,
  '.config/Claude/claude_desktop_config.json': `{"mcpServers":{"filesystem":{"command":"npx","args":["-y","@modelcontextprotocol/server-filesystem","/home/me/notes"]},"time":{"command":"uvx","args":["mcp-server-time"],"env":{}}}}`,
  '.codex/config.toml': `# Codex
model = "gpt-5-codex"   # the usual one
approval_policy = "on-request"

[projects."/home/me/shop"]
trust_level = "trusted"

[mcp_servers.docs]
command = "npx" # with npx
args = [
    "-y",
    "docs-mcp",   # the package
]
startup_timeout_sec = 20.0

  [mcp_servers.docs.env]
  "API_KEY" = 'sk-literal'

[mcp_servers."my server"]
command = '/opt/my server/run'

[mcp_servers.figma]
url = "https://mcp.figma.com/mcp"
bearer_token_env_var = "FIGMA_OAUTH_TOKEN"
`,
  '.codex/hooks.json': `{ "hooks": { "PostToolUse": [ { "hooks": [ { "type": "command", "command": "notify-send done" } ] } ] } }
`,
  '.gemini/settings.json': `{
  // my settings
  "general": { "vimMode": true },
  "mcpServers": {
    "git": { "command": "uvx", "args": [ "mcp-server-git" ], "cwd": "./repo", "trust": false },
    "remote": { "httpUrl": "https://example.com/mcp", "headers": { "Authorization": "Bearer abc" } }
  }, /* the end */
  "hooks": { "BeforeTool": [] }
}
`,
  '.copilot/mcp-config.json': `{
    "mcpServers": {
        "playwright": {
            "type": "local",
            "command": "npx",
            "tools": ["*"],
            "args": ["@playwright/mcp@latest"]
        }
    }
}
`,
  '.cursor/mcp.json': `{"mcpServers": {"linear": {"command": "npx", "args": ["-y", "mcp-remote", "https://mcp.linear.app/sse"]}}}\n`,
  '.cursor/hooks.json': `{
  "version": 1,
  "hooks": { "afterFileEdit": [ { "command": "./format.sh" } ] }
}`,
  '.config/Code/User/mcp.json': `{
\t"inputs": [
\t\t{ "type": "promptString", "id": "key", "description": "API key", "password": true },
\t],
\t"servers": {
\t\t// the one I use most
\t\t"perplexity": {
\t\t\t"type": "stdio",
\t\t\t"command": "npx",
\t\t\t"args": ["-y", "server-perplexity-ask"],
\t\t\t"env": { "PERPLEXITY_API_KEY": "\${input:key}" },
\t\t},
\t\t"github": { "type": "http", "url": "https://api.githubcopilot.com/mcp/" },
\t},
}
`,
  '.config/Code/User/profiles/4f2a/mcp.json':
    '{\r\n  "servers": {\r\n    "fetch": {\r\n      "command": "uvx",\r\n      "args": []\r\n    }\r\n  }\r\n}\r\n',
  '.codeium/windsurf/mcp_config.json': `{
  "mcpServers": {
    "slack": {
      "args": [
        "run", "-i", "--rm",
        "mcp/slack"
      ],
      "command": "docker",
      "disabled": true
    },
    "figma": { "serverUrl": "http://127.0.0.1:3845/sse" }
  }
}
`,
  '.config/zed/settings.json': `// Zed settings
//
// For information on how to configure Zed, see the documentation.
{
  "ui_font_size": 16,
  "context_servers": {
    "postgres": { "source": "custom", "command": { "path": "pg-mcp", "args": ["--ro"], "env": null }, "settings": {} },
    "local": {
      "source": "custom",
      "command": "some-command", // mine
      "args": ["arg-1", "arg-2"],
      "env": {},
    },
    "mcp-server-github": { "settings": { "github_personal_access_token": "x" } },
  },
  "vim_mode": true,
}
`,
  '.config/opencode/opencode.jsonc': `{
  "$schema": "https://opencode.ai/config.json",
  /* permissions */ "permission": { "edit": "ask" },
  "mcp": {
    "everything": {
      "type": "local",
      "command": [ "npx", "-y", "@modelcontextprotocol/server-everything" ],
      "environment": { "A": "b" },
    },
    "jira": { "type": "remote", "url": "https://jira.example.com/mcp", "enabled": true },
  },
}`,
};

/** Some of these files. */
export function pick(...names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, TEN_PROGRAMS[name] ?? '']));
}
