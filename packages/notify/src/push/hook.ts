import { refuse } from '@proffer/core';
import { defined, isJsonObject, type JsonObject, parseJson } from '@proffer/core/json';
import type { CompanionContext, Hook, HookAnswer } from '@proffer/gateway';
import type { GatewayConfig } from '@proffer/gateway/config';
import { bearerToken } from '@proffer/gateway/door';
import { type Push, subscriptionOf } from './open-push.js';
import { type PushSubscription, readSubscription } from './subscriptions.js';

export interface PushHookOptions extends Pick<CompanionContext, 'identify' | 'clock'> {
  readonly push: Push;
  readonly config: GatewayConfig;
  /** A device was added or renewed. */
  readonly onAdded: (subscription: PushSubscription) => Promise<void>;
  readonly onRemoved: (id: string) => Promise<void>;
}

/** How many characters of the browser's self-description are kept. */
const MAX_AGENT_LENGTH = 200;
/** A subscription is renewed at most once in this time: frequent sign-ins write nothing. */
const RENEWAL = 86_400_000;

/**
 * `POST /hooks/push`, with the caller's token: lists their devices and the key to subscribe with; `{
 * subscribe }` adds a device and answers with its id (`here`), `{ remove }` removes one of theirs.
 */
export function pushHook(options: PushHookOptions): Hook {
  const { identify, clock, push, config, onAdded, onRemoved } = options;
  const { subscriptions, keys, settings } = push;
  return {
    name: 'push',
    async answer({ headers, body }): Promise<HookAnswer> {
      const token = bearerToken(headers.authorization);
      const identified = await identify(token);
      if (!identified.ok) return { refused: identified.refusal };
      const identity = identified.value;
      await subscriptions.refresh();
      const mine = (): readonly PushSubscription[] =>
        subscriptions.list().filter(({ participant }) => participant === identity.name);
      const parsed = body.trim() === '' ? undefined : parseJson(body);
      if (parsed?.ok === false) return { refused: parsed.refusal };
      const asked = parsed !== undefined && isJsonObject(parsed.value) ? parsed.value : {};
      const { subscribe, remove } = asked;
      let here: string | undefined;
      if (subscribe !== undefined) {
        const browser = readSubscription(subscribe, settings.services);
        if (browser === undefined) return { refused: refuseEndpoint(settings.services) };
        const agent = (headers['user-agent'] ?? '').slice(0, MAX_AGENT_LENGTH);
        const made = { identity, token: token ?? '', agent };
        const fresh = subscriptionOf(browser, made, { config, now: clock() });
        here = fresh.id;
        if (!isKnown(mine(), fresh)) {
          const removed = await subscriptions.put(fresh);
          await onAdded(fresh);
          for (const id of removed) await onRemoved(id);
        }
      }
      if (typeof remove === 'string' && mine().some(({ id }) => id === remove)) {
        await subscriptions.remove(remove);
        await onRemoved(remove);
      }
      return {
        status: 200,
        body: { publicKey: keys.publicKey, devices: mine().map(shown), ...defined({ here }) },
      };
    },
  };
}

/** Whether only its time changed, and only by a little. */
function isKnown(known: readonly PushSubscription[], fresh: PushSubscription): boolean {
  const before = known.find(({ id }) => id === fresh.id);
  if (before === undefined || fresh.seenAt - before.seenAt > RENEWAL) return false;
  return JSON.stringify({ ...before, seenAt: 0 }) === JSON.stringify({ ...fresh, seenAt: 0 });
}

function shown({ id, agent, seenAt }: PushSubscription): JsonObject {
  return { id, agent, seenAt };
}

function refuseEndpoint(services: readonly string[]) {
  return refuse('invalid_field', 'This subscription is not at a push service that the operator allows.', {
    field: 'subscribe',
    expected: `an endpoint at ${services.join(', ')} (notify.push.services), with its keys`,
  });
}
