import { freePorts } from '@proffer/journal/testing';

/** A free port, for a server that must be given one. */
export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}
