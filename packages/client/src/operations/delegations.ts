import { defined } from '@proffer/core/json';
import type { Exchange } from '../connection/exchange.js';
import type { Receipt } from '../connection/message.js';

/** To whom the part in reviews is delegated, and for how long (O-34). */
export interface DelegateOptions {
  /** Until when: a date, RFC 3339, or milliseconds since 1970. */
  readonly until: Date | string | number;
  /** For one proposal only. Default: for all. */
  readonly proposal?: string;
}

/** Delegates our part in reviews. */
export function delegate(
  exchange: Exchange,
  to: string,
  { until, proposal }: DelegateOptions,
): Promise<Receipt> {
  const moment = until instanceof Date ? until.toISOString() : until;
  return send(exchange, { to, until: moment }, proposal);
}

/** Takes our part back. */
export function undelegate(exchange: Exchange, proposal: string | undefined): Promise<Receipt> {
  return send(exchange, { revoke: true }, proposal);
}

function send(
  exchange: Exchange,
  payload: Parameters<Exchange['send']>[0]['payload'],
  proposal: string | undefined,
): Promise<Receipt> {
  return exchange.send({ kind: 'mcpx.delegate.review', ...defined({ correlationId: proposal }), payload });
}
