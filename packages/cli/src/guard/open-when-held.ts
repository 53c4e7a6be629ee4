import type { Participant } from '@proffer/client/participation';
import { openBrowser } from '../terminal/open-browser.js';
import type { Environment } from '../terminal/shell.js';
import type { JoinedSpace } from './place.js';

/** Whether to open the browser: as the command line says, else PROFFER_OPEN. */
export function wantsBrowser(open: boolean | undefined, env: Environment): boolean {
  const preset = env['PROFFER_OPEN'] ?? '';
  return open ?? (preset !== '' && preset !== '0');
}

/**
 * Opens the inbox in the browser when the first call is held and no connected participant could decide it. A
 * client hides what a guard prints, so this is how its user finds out. The call is not affected if it cannot
 * be opened.
 */
export function openWhenHeld(
  { participant, link }: Pick<JoinedSpace, 'participant' | 'link'>,
  { env, log }: { readonly env: Environment; readonly log: (line: string) => void },
): void {
  const stop = participant.on('message', ({ kind, from, payload }) => {
    const isHeld = kind.startsWith('mcp.proposal.') && payload['grant'] === undefined;
    if (!isHeld || from !== participant.name) return;
    stop();
    if (!isSomebodyThere(participant)) void open();
  });

  async function open(): Promise<void> {
    try {
      const trouble = await openBrowser(link(), env);
      if (trouble !== undefined) log(`The browser cannot be opened: ${trouble}. The inbox: ${link()}`);
    } catch (error) {
      log(`The inbox cannot be opened: ${String(error)}`);
    }
  }
}

/** Guards and stewards do not look at an inbox. */
function isSomebodyThere({ participants }: Participant): boolean {
  return participants.some(({ id }) => id === 'reviewer');
}
