import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { BUILT, start } from '../testing/cli.js';
import { machine } from '../testing/guard-machine.js';
import { connectMcp } from '../testing/mcp-client.js';

/** Reports on stderr when the gateway's code is loaded. */
const HOOKS = `
import { writeSync } from 'node:fs';
export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (String(loaded.source).includes('function startGateway(')) writeSync(2, 'the gateway is loaded\\n');
  return loaded;
}`;

describe('guard that finds the shared gateway', () => {
  it('does not load its own gateway until it has to take over', async () => {
    await using here = await machine();
    const hooks = join(here.files, 'hooks.mjs');
    await writeFile(hooks, HOOKS);
    const register = join(here.files, 'register.mjs');
    await writeFile(
      register,
      `import { register } from 'node:module'; register(${JSON.stringify(pathToFileURL(hooks).href)});`,
    );
    const env = { NODE_OPTIONS: `--import=${pathToFileURL(register).href}` };
    const first = start(here.args(), { env, program: BUILT });
    await connectMcp(first);
    expect(await first.until(/is guarded, as filesystem\./)).toContain('the gateway is loaded');
    const second = start(here.args(), { env, program: BUILT });
    await connectMcp(second);
    expect(await second.until(/is guarded, as filesystem-2\./)).not.toContain('the gateway is loaded');
    await here.stop(first);
    await second.until(/the gateway is loaded/);
    await here.stop(second);
  });
});
