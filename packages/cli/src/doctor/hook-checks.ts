import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type JsonObject, parseJson } from '@proffer/core/json';
import { AGENT_IDS, AGENTS, type HookAgent, missingReports } from '@proffer/hook';
import { homeOf } from '../connection/guards-folder.js';
import type { Shell } from '../terminal/shell.js';
import type { Finding } from './machine-checks.js';

/**
 * Hooks of an earlier version, which do not tell how calls ended (O-46): in the user's settings of every agent, and in
 * those of the project here.
 *
 * @param folder - the project
 */
export function checkHooks({ env, name }: Pick<Shell, 'env' | 'name'>, folder: string): readonly Finding[] {
  return AGENT_IDS.flatMap((id) => {
    const agent = AGENTS[id];
    const install = `${name} hook install ${id}`;
    return [
      checkFile(agent, agent.settings.user(homeOf(env), env), install),
      checkFile(agent, join(folder, agent.settings.project), `${install} --project`),
    ].flat();
  });
}

function checkFile(agent: HookAgent, path: string, install: string): readonly Finding[] {
  const missing = missingReports(agent, settingsIn(path));
  if (missing.length === 0) return [];
  return [
    {
      state: 'warn',
      subject: 'hook',
      message: `The hook in ${path} is from an earlier version: ${agent.label} does not report how its calls end (${missing.join(', ')}). They are shown as allowed.`,
      remedy: `${install}   # installs it again`,
    },
  ];
}

/** Nothing if there is no such file, or it has another form: then it has no hook of ours. */
function settingsIn(path: string): JsonObject {
  try {
    const parsed = parseJson(readFileSync(path, 'utf8'));
    return parsed.ok && isJsonObject(parsed.value) ? parsed.value : {};
  } catch {
    return {};
  }
}
