import { refuse } from '@proffer/core';
import { isJsonObject, type JsonObject, parseJson } from '@proffer/core/json';
import type { Companion } from '@proffer/gateway';
import { bearerToken } from '@proffer/gateway/door';
import { devicesIn } from './devices.js';
import { offeredPairing } from './offered-pairing.js';
import { pairingQuestions } from './pairing-questions.js';

/**
 * `POST /hooks/devices`, for those who may do everything here: the paired devices and those asking to be
 * paired. `{ answer, yes }` accepts or refuses one, like `y` in the terminal; `{ revoke }` revokes one; `{
 * pair: true }` returns a new pairing link, if a guard shares. Devices may not use it.
 *
 * @param folder - the guards' folder
 */
export function devicesCompanion({ path }: { readonly path: string }): Companion {
  const devices = devicesIn(path);
  const questions = pairingQuestions(path);
  const pairing = offeredPairing(path);
  return async ({ clock, identify, config }) => {
    let url = config.notify?.url;
    return {
      hooks: () => [
        {
          name: 'devices',
          async answer({ headers, body }) {
            const identified = await identify(bearerToken(headers.authorization));
            if (!identified.ok) return { refused: identified.refusal };
            const { name, spaces } = identified.value;
            if (spaces.get('main')?.sources.includes('*') !== true)
              return { refused: refuse('capability_violation', `${name} may not let devices in.`) };
            const { answer, yes, revoke, pair } = objectIn(body);
            if (typeof answer === 'string') questions.answer(answer, yes === true);
            if (typeof revoke === 'string') await devices.revoke(revoke);
            return {
              status: 200,
              body: {
                isShared: pairing.servedAt() !== undefined,
                ...(pair === true ? await pairing.link(clock(), url) : {}),
                asking: questions.list(clock()),
                devices: devices.list().map(({ name: id, agent, pairedAt }) => ({ id, agent, pairedAt })),
              },
            };
          },
        },
      ],
      reload(changed) {
        url = changed.notify?.url;
      },
      close: async () => {},
    };
  };
}

function objectIn(body: string): JsonObject {
  const parsed = parseJson(body);
  return parsed.ok && isJsonObject(parsed.value) ? parsed.value : {};
}
