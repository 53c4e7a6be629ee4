import { type Refusal, refuse } from '@proffer/core';
import { quote } from '@proffer/core/json';
import { bearerToken } from '../../../door/index.js';
import type { SpaceAdmission } from '../../../operations/index.js';
import type { HttpCall } from '../router.js';
import { type PostOptions, postMessage } from './messages.js';

/** The default space of a request, if the token is valid for several. */
const DEFAULT_SPACE = 'main';

/**
 * `POST /participants/{id}/messages[?space=NAME]`: one envelope in the dialect of mew, which may omit everything that the
 * gateway knows. The default space is the only one that the token is valid for, else `main`.
 */
export async function postMewMessage(
  call: HttpCall,
  admission: SpaceAdmission,
  options: PostOptions,
): Promise<void> {
  const token = bearerToken(call.request.headers.authorization);
  const identified = await admission.recognize(token);
  if (!identified.ok) return call.refuse(identified.refusal);
  call.onAdmitted();
  const { name, spaces } = identified.value;
  const [claimed = ''] = call.values;
  if (claimed !== name) {
    const what = `The token belongs to ${quote(name)}, but the URL names ${quote(claimed)}.`;
    return call.refuse(refuse('sender_mismatch', what, { participant: name }));
  }
  const [only, ...others] = spaces.keys();
  const usual = only !== undefined && others.length === 0 ? only : DEFAULT_SPACE;
  const admitted = await admission.admit(token, call.query.get('space') ?? usual);
  if (!admitted.ok) return call.refuse(admitted.refusal);
  const { liveSpace } = admitted.value;
  // In mew, a kind that only the gateway sends makes the message invalid, whoever sends it.
  const refuseAsMew = (refusal: Refusal): void =>
    refusal.code === 'reserved_kind' ? call.refuse(refusal, 400) : call.refuse(refusal);
  await postMessage({ ...call, refuse: refuseAsMew }, admitted.value, {
    ...options,
    dialect: 'mew/v0.4',
    // Mew clients post and listen at the same time.
    onRefused: (refusal, about) => liveSpace.tellRefused(name, { refusal, about }),
  });
}
