import type { Proposal } from '@proffer/core/operations';

/** The last two minutes are marked. */
const SOON = 120_000;

/** Whether little time is left to decide. */
export function isUrgent({ expiresAt }: Pick<Proposal, 'expiresAt'>, now: number): boolean {
  return expiresAt !== undefined && expiresAt - now < SOON;
}
