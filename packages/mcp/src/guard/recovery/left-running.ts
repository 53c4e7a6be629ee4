import { setTimeout as pause } from 'node:timers/promises';
import type { Participant } from '@proffer/client/participation';
import type { JsonObject } from '@proffer/core/json';
import { objectAt, textAt } from '../../json-rpc.js';
import type { ProposalArchive } from './proposal-archive.js';

/** The maximum time to stay away, and the polling interval, in milliseconds. */
const TIMEOUT = 5_000;
const STEP = 100;

/**
 * Enters a space under a name whose earlier run may have ended halfway. A guard that returns at once counts
 * as never gone, and its approvers would wait for answers that nobody can give any more: so it leaves again
 * until the gateway has declared those outcomes unknown (O-23). Nothing is run again. If nothing was left
 * running, it enters at once.
 *
 * @param enter - enters, and returns nothing if another participant serves under the name
 * @param onWait - called when it stays away for a while
 */
export async function enterAfterwards(
  enter: () => Promise<Participant | undefined>,
  archive: ProposalArchive,
  onWait: () => void = () => {},
): Promise<Participant | undefined> {
  const participant = await enter();
  const running = participant === undefined ? [] : await leftRunning(participant, archive);
  if (participant === undefined || running.length === 0) return participant;
  onWait();
  await participant.close();
  const until = Date.now() + TIMEOUT;
  for (const id of running) {
    while (Date.now() < until && isRunning((await archive.find(id))?.proposal)) await pause(STEP);
  }
  return await enter();
}

/** Running calls that only this participant could answer for. */
async function leftRunning(
  { name, welcome }: Participant,
  archive: ProposalArchive,
): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const proposal of archive.open({})) {
    const isOurs = objectAt(proposal, 'fulfilment')['executor'] === name;
    const id = textAt(proposal, 'id');
    if (isOurs && isRunning(proposal) && !(await wasApprovedAfter(welcome.seq, archive, id))) found.push(id);
  }
  return found;
}

/** Whether it was approved after a `seq`; if that is after we entered, it is ours to run. */
export async function wasApprovedAfter(seq: number, archive: ProposalArchive, id: string): Promise<boolean> {
  const { proposal = {}, messages = [] } = (await archive.find(id)) ?? {};
  const { request } = objectAt(proposal, 'fulfilment');
  return messages.some((message) => message['id'] === request && Number(message['seq'] ?? 0) > seq);
}

/** Whether it was approved and has no outcome yet. */
export function isRunning(proposal: JsonObject | undefined): boolean {
  return proposal?.['phase'] === 'fulfilled' && proposal['outcome'] === undefined;
}
