import type { JsonObject } from '@proffer/core/json';
import type { CompanionContext, Hook } from '@proffer/gateway';
import { bearerToken, isOperatorIn } from '@proffer/gateway/door';
import type { Undelivered } from './follow/notifier.js';

export interface UndeliveredHookOptions extends Pick<CompanionContext, 'identify'> {
  readonly undelivered: () => Promise<readonly Undelivered[]>;
}

/** Further ones are not shown: they are in the log. */
const MAX_SHOWN = 200;

/**
 * `POST /hooks/undelivered`, with a token: failed notifications in the spaces whose approvals its
 * owner may pause, which is what makes someone a space's operator. `operator` says whether there is
 * such a space at all.
 */
export function undeliveredHook({ identify, undelivered }: UndeliveredHookOptions): Hook {
  return {
    name: 'undelivered',
    async answer({ headers }) {
      const identified = await identify(bearerToken(headers.authorization));
      if (!identified.ok) return { refused: identified.refusal };
      const identity = identified.value;
      const shown = (await undelivered()).filter(({ space }) => isOperatorIn(identity, space));
      return {
        status: 200,
        body: {
          operator: [...identity.spaces.keys()].some((space) => isOperatorIn(identity, space)),
          undelivered: shown.slice(0, MAX_SHOWN).map(describe),
        },
      };
    },
  };
}

function describe({ space, participant, channel, message, why, parkedAt }: Undelivered): JsonObject {
  const { kind, proposals, failures, dueAt } = message;
  const when = parkedAt === undefined ? { nextAt: dueAt } : { parkedAt };
  return { space, participant, channel, kind, proposals, failures, why, ...when };
}
