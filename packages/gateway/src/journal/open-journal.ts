import { type Result, success } from '@proffer/core';
import { describeCutOff, type Journal, type OpenedJournal, openJournal } from '@proffer/journal';
import type { Logger } from 'pino';
import type { GatewayConfig } from '../config/index.js';

/** Uses the given journal, or opens the configured one; logs if its last write was truncated. */
export async function openGivenJournal(
  given: Journal | undefined,
  { config, log }: { readonly config: GatewayConfig; readonly log: Pick<Logger, 'warn'> },
): Promise<Result<OpenedJournal>> {
  if (given !== undefined) return success({ journal: given });
  const opened = await openJournal(config.journal);
  const dropped = opened.ok ? opened.value.dropped : undefined;
  if (dropped !== undefined) log.warn(dropped, describeCutOff(dropped));
  if (opened.ok) for (const warning of opened.value.warnings ?? []) log.warn(warning);
  return opened;
}
