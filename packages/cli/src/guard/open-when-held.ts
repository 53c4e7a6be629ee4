import type { Participant } from '@proffer/client/participation';
import { openBrowser } from '../terminal/open-browser.js';
import type { Environment } from '../terminal/shell.js';
import type { Place } from './place.js';

/** Whether the browser shall be opened: as the command line says, else as PROFFER_OPEN does. */
export function wantsBrowser(open: boolean | undefined, env: Environment): boolean {
  const preset = env['PROFFER_OPEN'] ?? '';
  return open ?? (preset !== '' && preset !== '0');
}

/**
 * Opens the inbox in the browser when the first call is held and nobody is there who could decide it. A client hides
 * what a guard says, so this is how its user finds out. Whether it can be opened changes nothing for the call.
 */
export function openWhenHeld(
  { participant, link }: Pick<Place, 'participant' | 'link'>,
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

/** Guards, and whoever decides by rules, do not look at an inbox. */
function isSomebodyThere({ participants }: Participant): boolean {
  return participants.some(({ id }) => id === 'reviewer');
}
