import { grantById, grantsAbout, grantsInForce, viewGrant } from '@proffer/core/operations';
import type { Received, SpaceCaller, SpaceMessageOutcome } from '../../../operations/index.js';
import { replyJson } from '../reply.js';
import type { HttpCall } from '../router.js';
import { placeOf } from './messages.js';

/**
 * `GET /spaces/{space}/grants`: the grants in force; where messages are private, only what concerns the
 * caller.
 */
export function listGrants(
  { response }: HttpCall,
  { name, observer, liveSpace }: SpaceCaller,
  now: number,
): void {
  const { state, settings } = liveSpace.host;
  const isPrivate = settings.visibility === 'addressed' && !observer;
  const grants = isPrivate ? grantsAbout(state, name, now) : grantsInForce(state, now);
  replyJson(response, 200, { grants: grants.map(viewGrant) });
}

/** The answer to a grant, with the resulting grant, or to a revocation. */
export function replyGrant(
  call: HttpCall,
  { liveSpace }: SpaceCaller,
  {
    outcome,
    received,
  }: {
    readonly outcome: Exclude<SpaceMessageOutcome, { readonly status: 'refused' }>;
    readonly received: Received;
  },
): void {
  const { id = '' } = received;
  const grant = call.values.length === 1 ? grantById(liveSpace.host.state, id) : undefined;
  replyJson(call.response, call.values.length === 1 ? 201 : 200, {
    id,
    status: outcome.status,
    ...(outcome.status === 'late' ? {} : placeOf(outcome, id)),
    ...(grant === undefined ? {} : { grant: viewGrant(grant) }),
  });
}
