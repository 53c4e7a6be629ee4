import { type JsonObject, objectOf, textsIn } from '@proffer/core/json';
import { fulfilment, proposal, rejection } from '../messages.js';
import type { Message } from '../peers/peer.js';
import type { PersistentClient } from '../peers/persistent-client.js';

/** A space in which one tool needs two approvals; one rejection makes that impossible. */
export const VARIETY_YAML = `spaces:
  main:
    review:
      - { name: deploys, call: 'mcp.request.tools/call:deploy', approvals: 2, from: [first, second] }
`;

/** A call that no reviewer takes: it ends on its own, or is withdrawn at the end. */
const LEFT = { method: 'tools/call', params: { name: 'write_file', arguments: { path: '/left' } } };
const DEPLOY = { method: 'tools/call', params: { name: 'deploy', arguments: {} } };

/** Draws the kind of a proposal: ordinary, short-lived, reserved, or with two approvals. */
export function drawProposal(id: string, random: () => number): ReturnType<typeof proposal> {
  const kind = random();
  if (kind < 0.4) return proposal(id);
  const soon = Math.ceil(random() * 3_000);
  if (kind < 0.55) return proposal(id, { ttl: soon });
  if (kind < 0.65) return proposal(id, { ttl: soon, ...LEFT });
  if (kind < 0.8) return proposal(id, DEPLOY);
  const targeting = {
    preferred: [random() < 0.5 ? 'first' : 'second'],
    exclusive: true,
    exclusive_timeout: soon,
    fallback_to_broadcast: random() < 0.7,
  };
  return proposal(id, random() < 0.3 ? { targeting, ttl: Math.ceil(random() * 3_000) } : { targeting });
}

/**
 * A realistic reviewer: usually it takes a proposal at once, sometimes it rejects it, before or instead, or
 * ignores one that is reserved for it; and it tries again when one is opened to everyone.
 */
export function reviewVariously(
  { kind, id, payload, correlationId }: Message,
  client: PersistentClient,
  random: () => number,
): void {
  const fulfil = (attempt: string, about: string, call: JsonObject): void =>
    client.send({ ...fulfilment(`${client.name}-${attempt}-${about}`, about), payload: callOf(call) });
  if (kind === 'system.notice' && payload['notice'] === 'opened' && typeof correlationId === 'string') {
    const proposed = client.seen.findLast((message) => message.id === correlationId);
    if (proposed !== undefined) fulfil('takes', correlationId, proposed.payload);
    return;
  }
  if (!kind.startsWith('mcp.proposal.') || isLeft(payload)) return;
  const isMine = textsIn(objectOf(payload['targeting'])['preferred']).includes(client.name);
  const choice = random();
  if (choice < 0.15) client.send(rejection(`${client.name}-rejects-${id}`, id));
  // A proposal reserved for it that it does not take is opened or declined at its deadline.
  if (isMine && (choice < 0.1 || choice > 0.7)) return;
  fulfil('fulfils', id, payload);
}

const callOf = ({ method = '', params = {} }: JsonObject): JsonObject => ({ method, params });

const isLeft = ({ params }: JsonObject): boolean =>
  objectOf(objectOf(params)['arguments'])['path'] === LEFT.params.arguments.path;
