import { spawn } from 'node:child_process';
import type { Environment } from './shell.js';

/** How long to watch whether the program fails, in milliseconds: some run as long as the browser is open. */
const POLL_INTERVAL = 3_000;

/**
 * Opens an address in the user's browser with the system's opener, without a shell. Resolves with the
 * problem, if any. Never rejects.
 */
export async function openBrowser(address: string, env: Environment): Promise<string | undefined> {
  const [program, ...args] = openerOf(process.platform);
  return await new Promise((resolve) => {
    const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true, env: { ...env } });
    child.unref();
    const patience = setTimeout(resolve, POLL_INTERVAL, undefined);
    const settle = (trouble: string | undefined): void => {
      clearTimeout(patience);
      resolve(trouble);
    };
    child.once('error', (error) => settle(error.message));
    child.once('exit', (code) => settle(code === 0 ? undefined : `${program} exited with code ${code}`));
  });
}

function openerOf(platform: NodeJS.Platform): readonly [string, ...string[]] {
  if (platform === 'darwin') return ['open'];
  // `start` is a shell built-in, and a shell would interpret the address.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return ['xdg-open'];
}
