import type { Participant, ProposeOptions } from '@proffer/client';
import type { JsonObject } from '@proffer/core/json';

/** Proposes a call, and leaves it pending despite objections; resolves with its id. */
export async function propose(
  participant: Participant,
  name: string,
  given: JsonObject,
  options: ProposeOptions = {},
): Promise<string> {
  const call = { name, arguments: given };
  const proposal = participant.propose('tools/call', call, { onRejection: 'wait', ...options });
  proposal.catch(() => {});
  await proposal.accepted;
  return proposal.id;
}
