import { listAddresses } from '@proffer/client/http';
import { CommandFailure, EXIT } from '../command-failure.js';
import { trustedFile, withOneUrl } from '../connection/endpoint.js';
import { parseGatewayUrl } from '../connection/gateway-address.js';
import { NEXT_BEHIND_PROXY, nextUnreachable, onlyProxy } from '../connection/no-answer.js';
import { probeGateway } from '../connection/probe-gateway.js';
import type { Shell } from '../terminal/shell.js';
import type { JoinSpaceOptions } from './join-space.js';

/** How long to wait here for a gateway that hangs, in milliseconds. Entering waits longer. */
const TIMEOUT = 3_000;

/**
 * Checks once that there is a gateway at `--url`, so that a wrong address is reported at once. A gateway that
 * goes away later is waited for.
 *
 * @throws CommandFailure if nothing accepts connections there, or something else does
 */
export async function checkGiven(
  asked: JoinSpaceOptions,
  { name, env }: Pick<Shell, 'name' | 'env'>,
): Promise<void> {
  const options = withOneUrl(asked);
  if (options.url === undefined) return;
  const { url } = parseGatewayUrl(options.url);
  const ca = trustedFile(options.ca, env);
  const probes = await Promise.all(listAddresses(url).map((address) => probeGateway(address, TIMEOUT, ca)));
  // One is enough: those that share a journal may be restarted one after another.
  const [probe] = probes;
  if (probe === undefined || probes.some(({ found }) => found === 'gateway' || found === 'silence')) return;
  if (probe.found === 'gateway' || probe.found === 'silence') return;
  if (probe.found === 'tls_trouble')
    throw new CommandFailure({
      exit: EXIT.unreachable,
      code: 'tls_failed',
      message: probe.reason,
      next: probe.next,
    });
  if (probe.found === 'proxy')
    throw new CommandFailure({
      exit: EXIT.unreachable,
      code: 'unreachable',
      message: onlyProxy(url, probe.status),
      next: [NEXT_BEHIND_PROXY],
    });
  const isStrange = probe.found === 'stranger';
  const what = isStrange ? `The server at ${url} is not a Proffer gateway` : `No gateway answers at ${url}`;
  const about = { url, space: 'main', token: '', assumed: false, given: { url } };
  throw new CommandFailure({
    exit: EXIT.unreachable,
    code: isStrange ? 'not_a_gateway' : 'unreachable',
    message: `${what} (${probe.reason}).`,
    next: isStrange ? ['Check --url.'] : nextUnreachable(about, name),
  });
}
