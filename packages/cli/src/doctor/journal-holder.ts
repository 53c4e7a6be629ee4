import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Address, formatAddress } from '@proffer/gateway/address';
import { openLocalJournal } from '@proffer/journal';
import type { Finding } from './machine-checks.js';

/** Whether a process has the journal in a folder open. Does not create a journal. */
export async function isHeld(folder: string): Promise<boolean> {
  const isThere = await stat(join(folder, 'format.json')).then(
    () => true,
    () => false,
  );
  if (!isThere) return false;
  const opened = await openLocalJournal(folder, { reading: true });
  if (opened.ok) await opened.value.close();
  return !opened.ok && opened.refusal.code === 'journal_locked';
}

/**
 * A gateway answers on this port but does not use the expected journal: it was started elsewhere, or with another
 * configuration, and keeps this one from starting.
 *
 * @param isMeant - whether a configuration or an option names the journal
 */
export function strangeGateway(
  address: Address,
  { folder, isMeant, start }: { readonly folder: string; readonly isMeant: boolean; readonly start: string },
): Finding {
  return {
    state: isMeant ? 'bad' : 'warn',
    subject: `port ${address.port}`,
    message: `The gateway at ${formatAddress(address)} does not use ${folder}: it was started in another folder, or with another configuration.`,
    remedy: `Stop it, or give this one another port: ${start} --port N, or listen in the configuration. --data FOLDER names its journal.`,
  };
}
