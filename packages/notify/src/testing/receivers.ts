import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';

/** What an HTTP receiver got. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface HttpReceiver extends AsyncDisposable {
  readonly url: string;
  readonly received: readonly Received[];
  /** Settles when this many have arrived. */
  until(count: number): Promise<readonly Received[]>;
}

/**
 * A real HTTP server that records what it gets. @param answer - the status and body for each; default
 * 200
 */
export async function receiveHttp(
  answer: (
    received: Received,
    count: number,
  ) => { status: number; body?: string; retryAfter?: number } = () => ({
    status: 200,
  }),
): Promise<HttpReceiver> {
  const received: Received[] = [];
  let onMore = (): void => {};
  const server = createServer(async (request, response) => {
    const one = { path: request.url ?? '', headers: request.headers, body: await text(request) };
    received.push(one);
    const { status, body = '', retryAfter } = answer(one, received.length);
    if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
    response.writeHead(status).end(body);
    onMore();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    async until(count) {
      while (received.length < count) {
        await new Promise<void>((resolve) => {
          onMore = resolve;
        });
      }
      return received;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A real SMTP server that records what it gets. */
export async function receiveMail(): Promise<
  AsyncDisposable & { readonly url: string; next(): Promise<string> }
> {
  const mails: string[] = [];
  const waiting: ((mail: string) => void)[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    async onData(stream: SMTPServerDataStream, _session, done) {
      const mail = await text(stream);
      const resolve = waiting.shift();
      if (resolve === undefined) mails.push(mail);
      else resolve(mail);
      done();
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    next: () => {
      const mail = mails.shift();
      return mail === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(mail);
    },
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => {
        server.close(resolve);
      });
    },
  };
}
