import { answerApproval, outcomeLost } from '@proffer/client/own-calls';
import type { Participant } from '@proffer/client/participation';
import type { JsonObject } from '@proffer/core/json';
import { objectAt, textAt } from '../../json-rpc.js';
import type { ProposalArchive } from './proposal-archive.js';

/**
 * Reports the outcome of every call that an earlier run under this name left halfway as unknown: its approvers
 * would wait for reports that nobody can give any more (O-46). Nothing is run again.
 */
export async function reportLostCalls(participant: Participant, archive: ProposalArchive): Promise<void> {
  for (const proposal of await leftRunning(participant, archive)) {
    const fulfilment = objectAt(proposal, 'fulfilment');
    const [request, by, method] = [
      textAt(fulfilment, 'request'),
      textAt(fulfilment, 'by'),
      textAt(proposal, 'method'),
    ];
    await answerApproval(participant, { request, by, method }, outcomeLost(LOST));
  }
}

const LOST = 'The guard ended in the middle of this call, so its outcome is unknown.';

/** Running calls that only this participant could answer for. */
async function leftRunning(
  { name, welcome }: Participant,
  archive: ProposalArchive,
): Promise<readonly JsonObject[]> {
  const found: JsonObject[] = [];
  for await (const proposal of archive.open({})) {
    const isOurs = objectAt(proposal, 'fulfilment')['executor'] === name;
    const id = textAt(proposal, 'id');
    if (isOurs && isRunning(proposal) && !(await wasApprovedAfter(welcome.seq, archive, id)))
      found.push(proposal);
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
export function isRunning({ phase, outcome }: JsonObject): boolean {
  return (phase === 'allowed' || phase === 'fulfilled') && outcome === undefined;
}
