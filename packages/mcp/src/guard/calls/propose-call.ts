import type { OwnCall } from '@proffer/client/own-calls';
import type { Participant } from '@proffer/client/participation';
import { defined, diffJson, objectOf } from '@proffer/core/json';
import { type GatedCallFacts, qualifiedName } from '../call-identity.js';
import { ACCEPT_TOOL } from '../wait-tool.js';

/** A guarded call. */
export type GatedCall = OwnCall<GatedCallFacts>;

/**
 * Proposes a call in the space, and passes on what reviewers say about it.
 *
 * @param ttl - how long it may wait for a decision, in milliseconds
 */
export function proposeCall(
  { participant, server }: { readonly participant: Participant; readonly server: string },
  call: GatedCall,
  ttl: number | undefined,
): void {
  const { id, tool, arguments: args, origin } = call.facts;
  const proposal = call.propose(
    participant,
    qualifiedName(participant.name, server, tool),
    defined({ ttl, origin }),
  );
  proposal.onStatus((update) => {
    if (update.type === 'countered' && update.by !== participant.name) {
      const { id: offer, by, reason, params } = update;
      const edit = diffJson(args, objectOf(params['arguments']));
      call.tell({ type: 'offer', offer: { id: offer, by, reason, edit } });
      const accepted = `{"proposal": "${id}", "counter": "${offer}"}`;
      call.tell({
        type: 'say',
        text: `${by} offers other arguments: ${ACCEPT_TOOL} with ${accepted} accepts them`,
      });
    }
    // Our own messages are for reviewers.
    if (update.type === 'status' && update.by !== participant.name)
      call.tell({ type: 'say', text: `${update.by} is ${update.status}` });
  });
}
