import { parseBody, readText, request } from '@proffer/client/http';
import { isJsonArray, objectOf } from '@proffer/core/json';
import type { Endpoint } from '../connection/endpoint.js';
import { textOf } from '../terminal/visible.js';
import type { Finding } from './finding.js';

/** How long the figures may take, in milliseconds. */
const TIMEOUT = 3_000;

/**
 * What a gateway warns its operator of: gateways on its journal that are configured in another way.
 *
 * @param warnings - as it says to anyone; who they are and where they differ is only for operators
 */
export async function checkWarnings(
  endpoint: Pick<Endpoint, 'url' | 'token' | 'ca'>,
  warnings: readonly string[],
): Promise<readonly Finding[]> {
  if (warnings.length === 0) return [];
  const subject = 'gateway';
  const remedy = 'Give all gateways the same configuration, then restart or reload them one after another.';
  const differences = await readDifferences(endpoint).catch(() => []);
  const named = differences.map((message) => ({ state: 'warn' as const, subject, message, remedy }));
  if (named.length > 0) return named;
  return warnings.map((warning) => ({
    state: 'warn',
    subject,
    message: `${endpoint.url}: ${warning}`,
    remedy,
  }));
}

async function readDifferences({
  url,
  token,
  ca,
}: Pick<Endpoint, 'url' | 'token' | 'ca'>): Promise<readonly string[]> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await request(`${url}/figures`, { headers, ca, signal: AbortSignal.timeout(TIMEOUT) });
  const { differences } = objectOf(objectOf(parseBody(await readText(response)))['journal']);
  return (isJsonArray(differences) ? differences : []).map((one) => {
    const { gateway, keys } = objectOf(one);
    const differing = isJsonArray(keys) ? keys.map(textOf).join(', ') : '';
    return `${url} and the gateway ${textOf(gateway)} share a journal, but differ in ${differing}.`;
  });
}
