import { authorize } from '@proffer/core/capability';
import type { JsonObject } from '@proffer/core/json';
import { bearerToken, type CompanionContext, type Hook } from '@proffer/gateway';
import type { Undelivered } from './follow/notifier.js';

export interface UndeliveredHookOptions extends Pick<CompanionContext, 'identify'> {
  readonly undelivered: () => readonly Undelivered[];
}

/** More are not shown: whoever has so many looks at the log. */
const MOST_SHOWN = 200;

/**
 * `POST /hooks/undelivered`, with a token: notifications that failed, in the spaces whose approvals its owner may pause.
 * That is what an operator of a space is. `operator` says whether there is such a space at all.
 */
export function undeliveredHook({ identify, undelivered }: UndeliveredHookOptions): Hook {
  return {
    name: 'undelivered',
    async answer({ headers }) {
      const identified = await identify(bearerToken(headers.authorization));
      if (!identified.ok) return { refused: identified.refusal };
      const { name, spaces } = identified.value;
      const isOperatorIn = (space: string): boolean => {
        const capabilities = spaces.get(space);
        const pause = { from: name, kind: 'mcpx.pause.approvals', payload: {} };
        return capabilities !== undefined && authorize(capabilities, pause) === undefined;
      };
      const shown = undelivered().filter(({ space }) => isOperatorIn(space));
      return {
        status: 200,
        body: {
          operator: [...spaces.keys()].some(isOperatorIn),
          undelivered: shown.slice(0, MOST_SHOWN).map(describe),
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
