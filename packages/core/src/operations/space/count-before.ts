import { countGranted } from '../grants/use.js';
import { PROPOSAL_COMMANDS } from '../proposal/commands.js';
import type { ProposalRecord } from '../records.js';
import { countAlone } from '../review/count-alone.js';
import { confirmExecutor } from '../routing/confirm-executor.js';
import type { MessageCommand } from '../routing/route.js';
import type { SpaceState } from './space.js';
import type { Append } from './space-decision.js';

/**
 * What to record before these records are appended: a use, of a call that an agent approves alone or one that runs by
 * a grant, or that somebody new may run a tool.
 */
export function countBefore(
  space: SpaceState,
  records: readonly ProposalRecord[],
  command: MessageCommand,
): Append | undefined {
  if (command === 'propose') return countGranted(space, records);
  return PROPOSAL_COMMANDS[command].approves
    ? (countAlone(space, records) ?? confirmExecutor(space, records))
    : undefined;
}
