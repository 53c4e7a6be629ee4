import { join } from 'node:path';
import { defined } from '@proffer/core/json';
import type { JsonRpcChannel } from '../channel/channel.js';
import { createSharedServer } from '../channel/shared-server.js';
import { createUpstreamStdio } from '../channel/upstream-stdio.js';
import { type ClientHttpOptions, startClientHttp } from '../http/client-http.js';
import { guardInProcess, type InProcessOptions } from './in-process.js';
import { programs } from './programs.js';
import type { TestSpace } from './space.js';

export type NotesFrontOptions = InProcessOptions &
  Partial<Pick<ClientHttpOptions, 'tokens' | 'idle'>> & {
    /** Where `append` leaves `started` and waits for `go`; default: it does not wait. */
    readonly waitsIn?: string;
    /** Called before a server is started, which happens when this resolves. */
    readonly beforeOpening?: () => Promise<void>;
  };

/** A guard over HTTP in front of the notes server in a separate process. */
export async function startNotesFront(
  space: TestSpace,
  { tokens, idle, waitsIn, beforeOpening, ...guardOptions }: NotesFrontOptions = {},
) {
  const guarded = await guardInProcess(space, guardOptions);
  let running = 0;
  const openSession = (): JsonRpcChannel => {
    const args = [
      programs.notes,
      join(space.folder, 'notes.txt'),
      ...(waitsIn === undefined ? [] : [waitsIn]),
    ];
    const back = createUpstreamStdio({ command: process.execPath, args });
    running++;
    const close = () => back.close().finally(() => running--);
    const open: JsonRpcChannel['open'] = async (events) => {
      await beforeOpening?.();
      await back.open(events);
    };
    return { ...back, open, close };
  };
  const shared = createSharedServer(openSession);
  const front = await startClientHttp({
    guard: guarded.guard,
    port: 0,
    openSession,
    openExchange: () => shared.connect(),
    log: () => {},
    ...defined({ tokens, idle }),
  });
  return {
    /** Servers that were started and have not exited. */
    running: () => running,
    address: new URL(front.url),
    async [Symbol.asyncDispose]() {
      await front.close();
      await shared.close();
      await guarded.guard.close();
    },
  };
}
