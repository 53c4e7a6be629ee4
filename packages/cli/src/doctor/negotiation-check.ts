import type { DefaultPolicy } from '@proffer/core/negotiation';
import type { Finding } from './machine-checks.js';

/** How long an answer may take, in milliseconds. */
const TIMEOUT = 3_000;

const WHOSE: Readonly<Record<DefaultPolicy, string>> = {
  guide: 'the guide’s rules',
  'rfc-0008': 'the rules of RFC-MACP-0008',
};

/**
 * Which default rules apply to a session without a policy: according to a running gateway, else the
 * configuration. `undefined` without either.
 *
 * @param url - the gateway, if it is up
 */
export async function checkNegotiation(
  url: string | undefined,
  configured: DefaultPolicy | undefined,
): Promise<readonly Finding[]> {
  const found = (url === undefined ? undefined : await servedPolicy(url)) ?? configured;
  if (found === undefined) return [];
  const message = `A session that names no policy has ${WHOSE[found]} (negotiation.default_policy: ${found}).`;
  return [{ state: 'good', subject: 'negotiation', message }];
}

async function servedPolicy(url: string): Promise<DefaultPolicy | undefined> {
  try {
    const answer = await fetch(`${url}/.well-known/macp.json`, { signal: AbortSignal.timeout(TIMEOUT) });
    const { metadata } = (await answer.json()) as { readonly metadata?: Readonly<Record<string, unknown>> };
    const named = metadata?.['default_policy'];
    return named === 'guide' || named === 'rfc-0008' ? named : undefined;
  } catch {
    return undefined;
  }
}
