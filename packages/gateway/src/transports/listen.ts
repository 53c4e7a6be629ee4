import type { AddressInfo, Server } from 'node:net';
import { failure, type Result, refuse, success } from '@proffer/core';
import type { ServedAddress } from '../companion.js';
import type { Address } from '../config/index.js';

/** Lets a server listen. Refuses, naming the field of the configuration, when the address cannot be had. */
export async function listen(
  server: Server,
  address: Address | undefined,
  { isSecure, field }: { readonly isSecure: boolean; readonly field: string },
): Promise<Result<ServedAddress>> {
  if (address === undefined)
    return failure(refuse('cannot_listen', `${field} is off: there is nothing to serve.`, { field }));
  const { host } = address;
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(address.port, host, () => resolve());
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const details = { field, host, port: address.port };
    return failure(refuse('cannot_listen', `Listening on ${field} failed: ${why}.`, details));
  }
  const { port } = server.address() as AddressInfo;
  return success({ host, port, secure: isSecure });
}
