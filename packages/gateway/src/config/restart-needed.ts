import { isDeepStrictEqual } from 'node:util';
import type { GatewayConfig } from './config.js';
import { writtenKey } from './written-key.js';

/** The changed keys that a gateway reads only at startup. Everything else is applied by a reload. */
export function restartNeeded(started: GatewayConfig, next: GatewayConfig): readonly string[] {
  const { allowedOrigins: _before, ...listen } = started.listen;
  const { allowedOrigins: _after, ...nextListen } = next.listen;
  const sections: readonly (readonly [key: string, before: unknown, after: unknown])[] = [
    ['dev', started.dev, next.dev],
    ...pairs('listen', listen, nextListen),
    // A renewed certificate is loaded, from another path too; switching TLS on or off needs a restart.
    ['tls', started.tls === undefined, next.tls === undefined],
    ['journal', started.journal, next.journal],
    ['evidence', started.evidence, next.evidence],
    ...[...new Set([...started.spaces.keys(), ...next.spaces.keys()])].flatMap((name) =>
      pairs(`spaces.${name}`, started.spaces.get(name), next.spaces.get(name)),
    ),
    ['negotiation', started.negotiation, next.negotiation],
    ['limits', started.limits, next.limits],
    ['console.oidc', started.oidc, next.oidc],
    // The console's pages name the issuer that they may talk to.
    ...(next.oidc === undefined ? [] : [['jwt.issuer', started.jwt?.issuer, next.jwt?.issuer] as const]),
  ];
  return sections.filter(([, before, after]) => !isDeepStrictEqual(before, after)).map(([key]) => key);
}

/** One per key of a section, or one for the section if it was added or removed. */
function pairs(
  section: string,
  before: object | undefined,
  after: object | undefined,
): readonly (readonly [string, unknown, unknown])[] {
  if (before === undefined || after === undefined) return [[section, before, after]];
  const [left, right] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  return [...new Set([...left.keys(), ...right.keys()])].map((key) => [
    `${section}.${writtenKey(key)}`,
    left.get(key),
    right.get(key),
  ]);
}
