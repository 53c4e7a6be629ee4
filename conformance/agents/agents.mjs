// The agents that have programs on npm: how each is pointed at the scripted model and run without a terminal.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * @typedef {object} RealAgent
 * @property {string} id - as `proffer hook` calls it
 * @property {string} program
 * @property {string} from - the package that has the program
 * @property {(home: string, model: string) => Promise<void>} [prepare] - writes what its own settings need
 * @property {(model: string) => Record<string, string>} env
 * @property {readonly string[]} args
 * @property {boolean} [hasHttp] - whether it can ask over HTTP
 * @property {boolean} [hangs] - whether a question that nobody can be asked keeps it waiting
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
    // Its user trusts a hook with /hooks, at a terminal.
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
    // Without a terminal it offers the shell to its model only when its own policy allows it.
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
