// Agents with programs on npm: how to point each at the scripted model and run it without a terminal.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * @typedef {object} RealAgent
 * @property {string} id - its name in `proffer hook`
 * @property {string} program
 * @property {string} from - the package with the program
 * @property {(home: string, model: string) => Promise<void>} [prepare] - writes the settings it needs
 * @property {(model: string) => Record<string, string>} env
 * @property {readonly string[]} args
 * @property {boolean} [hasHttp] - whether it can ask over HTTP
 * @property {boolean} [hangs] - whether it hangs on a question when it has no user to ask
 */

const PROMPT = 'Leave a trace.';

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
];
