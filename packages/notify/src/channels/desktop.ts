import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Channel, Delivery } from './channel.js';

const run = promisify(execFile);

/** Shows a notification on the desktop of the machine that the gateway runs on. */
export function desktop(platform: NodeJS.Platform = process.platform): Channel {
  return {
    tellsEndings: false,
    async check(signal) {
      const delivery = await show(platform, ['Proffer', 'Notifications work.'], signal);
      return delivery.ok ? undefined : delivery.why;
    },
    deliver: ({ title, text, link }, signal) => show(platform, [title, `${text}\n${link}`], signal),
  };
}

async function show(
  platform: NodeJS.Platform,
  [title, text]: readonly [string, string],
  signal: AbortSignal,
): Promise<Delivery> {
  const [command, ...args] = commandFor(platform, title, text);
  try {
    await run(command, args, { signal });
    return { ok: true };
  } catch (error) {
    const { code, message } = error as { readonly code?: unknown; readonly message: string };
    const why = code === 'ENOENT' ? `${command} is not installed` : message;
    return { ok: false, why: `The desktop did not show it: ${why}`, final: true };
  }
}

/** What shows a notification. The words are arguments of their own: no shell and no script reads them. */
function commandFor(platform: NodeJS.Platform, title: string, text: string): readonly [string, ...string[]] {
  if (platform === 'darwin') {
    const script = 'on run {body, heading}\ndisplay notification body with title heading\nend run';
    return ['osascript', '-e', script, text, title];
  }
  if (platform === 'win32') return ['msg', '*', `${title}\n${text}`];
  return ['notify-send', '--app-name=Proffer', '--', title, text];
}
