// Agents with programs on npm: how to point each at the scripted model and run it without a terminal.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {object} RealAgent
 * @property {string} id - its name in `proffer hook`
 * @property {string} program
 * @property {string} from - the package with the program
 * @property {(home: string, model: string) => Promise<void>} [prepare] - writes the settings it needs
 * @property {(model: string) => Record<string, string>} env
 * @property {readonly string[]} args
 * @property {boolean} [hasServers] - it has no hook: its MCP servers are guarded
 * @property {boolean} [hasHttp] - whether it can ask over HTTP
 * @property {boolean} [hangs] - whether it hangs on a question when it has no user to ask
 */

const PROMPT = 'Leave a trace.';

/** The reference file server. */
const FILE_SERVER = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js', import.meta.url),
);

/** @type {readonly RealAgent[]} */
export const REAL_AGENTS = [
  {
    id: 'claude-code',
    program: 'claude',
    from: '@anthropic-ai/claude-code',
    env: (model) => ({
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: 'sk-scripted',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    }),
    args: ['-p', PROMPT],
    hasHttp: true,
  },
  {
    id: 'codex',
    program: 'codex',
    from: '@openai/codex',
    async prepare(home, model) {
      const lines = [
        'model = "scripted"',
        'model_provider = "scripted"',
        'sandbox_mode = "danger-full-access"',
        'check_for_update_on_startup = false',
        '[analytics]',
        'enabled = false',
        '[model_providers.scripted]',
        'name = "scripted"',
        `base_url = "${model}/v1"`,
        'wire_api = "responses"',
      ];
      await mkdir(join(home, '.codex'), { recursive: true });
      await writeFile(join(home, '.codex', 'config.toml'), `${lines.join('\n')}\n`);
    },
    env: () => ({}),
    // Users approve a hook with /hooks, in a terminal.
    args: ['exec', '--skip-git-repo-check', '--dangerously-bypass-hook-trust', PROMPT],
  },
  {
    id: 'gemini-cli',
    program: 'gemini',
    from: '@google/gemini-cli',
    async prepare(home) {
      const settings = {
        security: { auth: { selectedType: 'gemini-api-key' } },
        privacy: { usageStatisticsEnabled: false },
        general: { enableAutoUpdate: false },
      };
      await mkdir(join(home, '.gemini'), { recursive: true });
      await writeFile(join(home, '.gemini', 'settings.json'), JSON.stringify(settings));
    },
    env: (model) => ({ GOOGLE_GEMINI_BASE_URL: model, GEMINI_API_KEY: 'scripted' }),
    // Without a terminal it offers its model the shell only if its policy allows that.
    args: ['-m', 'gemini-2.5-pro', '--skip-trust', '--approval-mode=yolo', '-p', PROMPT],
    hangs: true,
  },
  {
    id: 'copilot-cli',
    program: 'copilot',
    from: '@github/copilot',
    env: (model) => ({
      COPILOT_OFFLINE: 'true',
      COPILOT_PROVIDER_BASE_URL: `${model}/v1`,
      COPILOT_MODEL: 'gpt-4.1',
    }),
    args: ['-p', PROMPT],
  },
  {
    id: 'opencode',
    program: 'opencode',
    from: 'opencode-ai',
    async prepare(home, model) {
      const settings = {
        autoupdate: false,
        share: 'disabled',
        model: 'scripted/scripted',
        small_model: 'scripted/scripted',
        provider: {
          scripted: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${model}/v1`, apiKey: 'scripted' },
            models: { scripted: { name: 'scripted' } },
          },
        },
        mcp: { files: { type: 'local', command: [process.execPath, FILE_SERVER, home], enabled: true } },
      };
      await mkdir(join(home, '.config', 'opencode'), { recursive: true });
      await writeFile(join(home, '.config', 'opencode', 'opencode.json'), JSON.stringify(settings));
    },
    env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }),
    args: ['run', PROMPT],
    hasServers: true,
  },
];
