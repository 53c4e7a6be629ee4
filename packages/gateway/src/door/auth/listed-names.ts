import { createLookalikes, mixesAlphabets } from '@proffer/core';
import type { GatewayConfig } from '../../config/index.js';

/** Names that the configuration gives to somebody: participants, and senders of MACP token lists. */
interface ListedNames {
  readonly has: (name: string) => boolean;
  readonly lookalikeOf: (name: string) => string | undefined;
}

/** Built once for each configuration. */
const tables = new WeakMap<GatewayConfig, ListedNames>();

function listedNames(config: GatewayConfig): ListedNames {
  const known = tables.get(config);
  if (known !== undefined) return known;
  const names = new Set([
    ...config.participants.keys(),
    ...config.tokens.map(({ participant }) => participant),
  ]);
  const table = { has: (name: string) => names.has(name), lookalikeOf: createLookalikes(names) };
  tables.set(config, table);
  return table;
}

/** Whether the configuration gives a name to somebody. */
export function isListed(name: string, config: GatewayConfig): boolean {
  return listedNames(config).has(name);
}

/** Why a name could be mistaken for another one, to end a sentence with; `undefined` if it could not. */
export function whyMistakable(name: string, config: GatewayConfig): string | undefined {
  if (listedNames(config).lookalikeOf(name) !== undefined)
    return "could be mistaken for a participant's name";
  return mixesAlphabets(name) ? 'mixes letters of several alphabets that look alike' : undefined;
}
