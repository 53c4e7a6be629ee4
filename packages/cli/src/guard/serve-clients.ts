import { createSharedServer, type Guard, type JsonRpcChannel } from '@proffer/mcp';
import type { ClientHttpOptions } from '@proffer/mcp/http';
import { CommandFailure, EXIT } from '../command-failure.js';
import { afterEnd } from './after-end.js';
import { cannotStart } from './cannot-start.js';
import { userHere } from './machine-folder.js';
import type { ServerTarget } from './server-behind.js';

/** How long a server must have been running before the guard reports success, in milliseconds. */
const SETTLING = 1_000;

/** Serves the one client on stdin and stdout until it or the server ends. */
export async function serveStdio(
  guarding: Guard,
  { name, open }: ServerTarget,
  {
    front,
    stopped,
    onReady,
  }: { readonly front: JsonRpcChannel; readonly stopped: Promise<void>; readonly onReady: () => void },
): Promise<void> {
  const { channel, ending } = watchServer(open());
  let connection: Awaited<ReturnType<Guard['connect']>>;
  try {
    connection = await guarding.connect(front, channel, userHere());
  } catch (error) {
    throw cannotStart(name, error);
  }
  // A server that cannot run at all exits at once.
  const settling = setTimeout(onReady, SETTLING);
  await Promise.race([connection.closed, stopped]);
  clearTimeout(settling);
  const ended = ending();
  if (ended === undefined) return;
  const { cause, hasSpoken } = ended;
  const what = cause.message.replace(/\.$/, '');
  const { begun } = await guarding.close(what);
  const failure = hasSpoken
    ? {
        code: 'server_ended',
        message: `${what}. ${afterEnd(begun)}`,
      }
    : { code: 'cannot_start', message: `${what} before it answered.` };
  throw new CommandFailure({ exit: EXIT.refused, ...failure }, cause);
}

/** Serves any number of clients over HTTP until the guard is told to stop. */
export async function serveHttp(
  guarding: Guard,
  { open, isProcess }: ServerTarget,
  {
    stopped,
    onReady,
    ...about
  }: Pick<ClientHttpOptions, 'port' | 'log' | 'tokens' | 'upstream'> & {
    readonly stopped: Promise<void>;
    readonly onReady: () => void;
  },
): Promise<void> {
  // Without sessions there is nothing to isolate: one process serves all.
  const shared = isProcess ? createSharedServer(open) : undefined;
  const openExchange: ServerTarget['open'] = (credential) => shared?.connect() ?? open(credential);
  const { startClientHttp } = await import('@proffer/mcp/http');
  const front = await startClientHttp({ guard: guarding, openSession: open, openExchange, ...about }).catch(
    (error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      const message = `Cannot serve clients on port ${about.port}: ${why}.`;
      const next = ['--http 0 uses any free port.'];
      throw new CommandFailure({ exit: EXIT.refused, code: 'cannot_listen', message, next }, error);
    },
  );
  onReady();
  about.log(`clients reach it at ${front.url}`);
  await stopped;
  await front.close();
  await shared?.close();
}

/** A server, and how it behaved. */
interface WatchedServer {
  readonly channel: JsonRpcChannel;
  /** Why it exited, if it did so on its own, and whether it had sent anything before. */
  readonly ending: () => { readonly cause: Error; readonly hasSpoken: boolean } | undefined;
}

/** Watches whether a server ever sends anything, and why it exits. */
function watchServer(server: JsonRpcChannel): WatchedServer {
  let hasSpoken = false;
  let ended: Error | undefined;
  const channel: JsonRpcChannel = {
    ...server,
    open: (events) =>
      server.open({
        ...events,
        onMessage(message, text) {
          hasSpoken = true;
          events.onMessage(message, text);
        },
        onClose(cause) {
          ended = cause;
          events.onClose(cause);
        },
      }),
  };
  return { channel, ending: () => (ended === undefined ? undefined : { cause: ended, hasSpoken }) };
}
