import type { RefusalCode } from '@proffer/core';
import type { JsonObject } from '@proffer/core/json';
import type { LimitsConfig, Rate } from '../../../config/index.js';

type Limit = keyof LimitsConfig;

/** The refusals that say that a limit was met, and the keys under `limits` that set it. */
const LIMITS_BY_CODE: readonly (readonly [code: string, limits: readonly Limit[]])[] = [
  [
    'rate_limited',
    [
      'messagesPerParticipant',
      'negotiationMessagesPerParticipant',
      'sessionStartsPerParticipant',
      'sessionStarts',
    ],
  ],
  ['too_large', ['messageSize', 'negotiationPayloadSize']],
  ['too_deep', ['messageDepth']],
  ['too_many_bad_messages', ['badMessagesPerConnection']],
  ['too_many_connections', ['connectionsPerToken']],
  ['too_many_pending', ['pendingProposalsPerParticipant']],
  ['too_many_open_sessions', ['openSessionsPerParticipant', 'openSessions']],
] satisfies readonly (readonly [RefusalCode, readonly Limit[]])[];

/** Every limit that refuses something, how often it did, and what it is set to. */
export function limitsMet(
  limits: LimitsConfig,
  { refusals, fellBehind }: { readonly refusals: ReadonlyMap<string, number>; readonly fellBehind: number },
): readonly JsonObject[] {
  const refused = LIMITS_BY_CODE.map(([code, keys]) => ({
    code,
    // MACP has the same refusals in capitals.
    met: (refusals.get(code) ?? 0) + (refusals.get(code.toUpperCase()) ?? 0),
    limits: keys.map((key) => setting(limits, key)),
  }));
  return [
    ...refused,
    { code: 'fell_behind', met: fellBehind, limits: [setting(limits, 'unacknowledgedPerConnection')] },
  ];
}

/** A limit under the name that it has in a configuration. */
function setting(limits: LimitsConfig, key: Limit): JsonObject {
  const name = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const value: number | Rate = limits[key];
  return typeof value === 'number' ? { name, value } : { name, value: value.count, per: value.period };
}
