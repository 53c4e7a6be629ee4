import type { IncomingMessage } from 'node:http';
import { type Refusal, refuse } from '@proffer/core';
import { quote } from '@proffer/core/json';
import { isLoopback } from '../config/index.js';

/**
 * The refusal of a request that a page of another site made a browser on this machine send. In dev mode a
 * name is all that is needed, and browsers let every page open a WebSocket to this machine, or reach it under
 * another host name: such requests reveal their origin.
 *
 * @param origins - those allowed by the operator
 */
export function checkOrigin(
  { headers: { host, origin } }: IncomingMessage,
  origins: readonly string[],
): Refusal | undefined {
  if (host !== undefined && !isLocal(`http://${host}`)) {
    return foreign(`The request is for host ${quote(host)}; dev mode serves only this machine.`);
  }
  if (origin !== undefined && !isLocal(origin) && !origins.includes(origin)) {
    return foreign(`The request comes from a page of ${quote(origin)}; dev mode serves only this machine.`);
  }
  return undefined;
}

function isLocal(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const hostname = new URL(address).hostname.replace(/^\[|\]$/g, '');
  return isLoopback(hostname) || hostname.endsWith('.localhost');
}

function foreign(what: string): Refusal {
  return refuse('foreign_origin', what);
}
