import { MacpError, type MacpErrorCode } from './macp-error.js';
import type { Try } from './persist.js';
import type { MacpTransport } from './transport.js';

/** A removal; one that is repeated after a lost connection, and finds nothing any more, counts as done. */
export async function orGone(
  code: MacpErrorCode,
  { isRepeated }: Try,
  removed: Promise<void>,
): Promise<void> {
  try {
    await removed;
  } catch (error) {
    if (!(isRepeated && error instanceof MacpError && error.code === code)) throw error;
  }
}

/** Renames a mode once: repeated after a lost connection, it counts as done if there is a mode of the new name. */
export async function promoteOnce(
  transport: MacpTransport,
  { mode, name }: { readonly mode: string; readonly name: string },
  attempt: Try,
): Promise<string> {
  try {
    return await transport.promoteMode(mode, name, attempt);
  } catch (error) {
    const mayBeDone = attempt.isRepeated && error instanceof MacpError && error.code === 'MODE_NOT_SUPPORTED';
    if (!mayBeDone) throw error;
    const modes = await transport.listExtModes(attempt);
    if (modes.some((known) => known.mode === name)) return name;
    throw error;
  }
}
