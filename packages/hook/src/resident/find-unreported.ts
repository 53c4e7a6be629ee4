import { objectOf, textOf } from '@proffer/core/json';
import type { ProposalArchive } from '@proffer/mcp';
import type { AgentId } from '../agents/index.js';
import type { UnreportedCalls } from './unreported-calls.js';

export interface FindUnreportedOptions {
  readonly agent: AgentId;
  /** The name under which the agent asks. */
  readonly proposer: string;
  readonly archive: ProposalArchive;
}

/**
 * Finds the calls of an agent that an earlier resident process allowed, and that were not reported: their reports
 * arrive here now (O-46).
 */
export async function findUnreported(
  unreported: UnreportedCalls,
  { agent, proposer, archive }: FindUnreportedOptions,
): Promise<void> {
  for await (const { id, phase, params, origin, fulfilment } of archive.open({ proposer })) {
    const { name, arguments: asked } = objectOf(params);
    const prefix = `${agent}/`;
    if (phase !== 'allowed' || !textOf(name).startsWith(prefix)) continue;
    const proposal = textOf(id);
    if (unreported.has(proposal)) continue;
    const { request, by } = objectOf(fulfilment);
    const { session, folder } = objectOf(origin);
    const { messages = [] } = (await archive.find(proposal)) ?? {};
    const approval = messages.find((message) => message['id'] === request);
    const { arguments: approved } = objectOf(objectOf(approval?.['payload'])['params']);
    const call = {
      agent,
      folder: textOf(folder),
      tool: textOf(name).slice(prefix.length),
      arguments: objectOf(asked),
      ...(typeof session === 'string' ? { session } : {}),
    };
    unreported.put(call, objectOf(approved), { proposal, request: textOf(request), by: textOf(by) });
  }
}
