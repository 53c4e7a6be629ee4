import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { section } from '@proffer/gateway/fields';
import type { Channel, ChannelType, Delivery } from './channel.js';

const run = promisify(execFile);

/** Shows a notification on the desktop of the gateway's machine. */
export function desktop(platform: NodeJS.Platform = process.platform): Channel {
  return {
    // A notification stays on the machine's screen, and in its list of notifications.
    isPrivate: false,
    reportsOutcomes: false,
    async check() {
      const [command] = commandFor(platform, '', '');
      return (await isInstalled(command)) ? undefined : `${command} is not installed.`;
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
    const { code, stderr, message } = error as ExecFailure;
    // Node's message contains the whole command line; the program's own output is shorter and more
    // helpful.
    const why = code === 'ENOENT' ? `${command} is not installed` : stderr?.trim() || message;
    return { ok: false, why: `The desktop did not show the notification: ${why}`, final: true };
  }
}

interface ExecFailure {
  readonly code?: unknown;
  readonly stderr?: string;
  readonly message: string;
}

/**
 * The command that shows a notification. The text is passed as separate arguments after `--`: no
 * shell, script or option parser reads it. Linux desktops treat it as markup, so it is escaped there.
 */
function commandFor(platform: NodeJS.Platform, title: string, text: string): readonly [string, ...string[]] {
  if (platform === 'darwin') {
    const script = 'on run {body, heading}\ndisplay notification body with title heading\nend run';
    return ['osascript', '-e', script, '--', text, title];
  }
  if (platform === 'win32') return ['msg', '*', `${title}\n${text}`];
  return ['notify-send', '--app-name=Proffer', '--', title, withoutMarkup(text)];
}

function withoutMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

async function isInstalled(command: string): Promise<boolean> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const found = await access(join(folder, command), constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return true;
  }
  return false;
}

/** `type: desktop`. */
export const desktopChannel: ChannelType<object> = { fields: section<object>({}), open: () => desktop() };
