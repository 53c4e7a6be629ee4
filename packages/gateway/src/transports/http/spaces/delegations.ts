import { delegationsInForce, hasPartInReviews } from '@proffer/core/operations';
import type { SpaceCaller } from '../../../operations/index.js';
import { replyJson } from '../reply.js';
import type { HttpCall } from '../router.js';

/**
 * `GET /spaces/{space}/delegations`: who decides for whom; where messages are private, only what concerns the
 * caller. Also whether the caller has a part to delegate.
 */
export function listDelegations(
  { response }: HttpCall,
  { name, observer, roles, liveSpace }: SpaceCaller,
  now: number,
): void {
  const { state, settings } = liveSpace.host;
  const isPrivate = settings.visibility === 'addressed' && !observer;
  const delegations = delegationsInForce(state, now)
    .filter(({ by, to }) => !isPrivate || by === name || to === name)
    .map(({ by, to, until }) => ({ by, to, until }));
  replyJson(response, 200, { delegations, named: hasPartInReviews(settings.review, { name, roles }) });
}
