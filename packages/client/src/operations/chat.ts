import { defined } from '@proffer/core/json';
import type { Exchange } from '../connection/exchange.js';
import type { Receipt } from '../connection/message.js';

/** The addressees and the format. */
export interface ChatOptions {
  /** Default: everyone. */
  readonly to?: string | readonly string[];
  readonly format?: 'plain' | 'markdown';
}

export function chat(exchange: Exchange, text: string, { to, format }: ChatOptions = {}): Promise<Receipt> {
  return exchange.send({
    kind: 'chat.message',
    payload: { text, ...defined({ format }) },
    ...(to === undefined ? {} : { to: typeof to === 'string' ? [to] : to }),
  });
}
