import { delegationsInForce, hasPartInReviews } from '@proffer/core/operations';
import type { Guest } from '../../../operations/index.js';
import { replyJson } from '../reply.js';
import type { Call } from '../router.js';

/**
 * `GET /spaces/{space}/delegations`: who decides for whom; where messages are private, only what concerns the
 * guest. Also whether the guest has a part to delegate.
 */
export function listDelegations(
  { response }: Call,
  { name, observer, roles, room }: Guest,
  now: number,
): void {
  const { state, settings } = room.host;
  const isPrivate = settings.visibility === 'addressed' && !observer;
  const delegations = delegationsInForce(state, now)
    .filter(({ by, to }) => !isPrivate || by === name || to === name)
    .map(({ by, to, until }) => ({ by, to, until }));
  replyJson(response, 200, { delegations, named: hasPartInReviews(settings.review, { name, roles }) });
}
