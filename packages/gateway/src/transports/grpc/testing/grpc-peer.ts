import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** How a call ended. */
export interface CallStatus {
  readonly code: number;
  readonly details: string;
  /** From the trailer `macp-error-code`. */
  readonly macpCode?: string | undefined;
}

/** A message as the client parses it. */
export type Read = Readonly<Record<string, unknown>>;

export interface CallOptions {
  readonly token?: string | undefined;
  /** In milliseconds. */
  readonly timeout?: number;
  readonly target?: string;
  readonly ca?: Buffer;
  /** Channel options, by their gRPC names. */
  readonly channel?: Readonly<Record<string, string | number>>;
}

/** A client stream. */
export interface PeerStream {
  readonly messages: readonly Read[];
  /** The server has accepted the call. */
  readonly began: Promise<void>;
  readonly status: Promise<CallStatus>;
  write(request: object): void;
  end(): void;
  cancel(): void;
  pause(): void;
  resume(): void;
  /** The next unread message. */
  next(): Promise<Read>;
  take(count: number): Promise<readonly Read[]>;
}

/** A gRPC client in a separate thread that shares no code with the gateway. */
export interface GrpcPeer extends AsyncDisposable {
  /** The default target of calls. */
  target: string;
  /** The response, or an error for a status other than OK. */
  ask(method: string, request: object, options?: CallOptions): Promise<Read>;
  /** The status of a call that must fail. */
  refused(method: string, request: object, options?: CallOptions): Promise<CallStatus>;
  open(method: string, options?: CallOptions): PeerStream;
}

export const RUNTIME = 'macp.v1.MACPRuntimeService';

interface Answer {
  readonly id: number;
  readonly event?: 'began' | 'message' | 'status';
  readonly response?: Read;
  readonly message?: Read;
  readonly status?: CallStatus;
}

/** Starts one. Methods are named within the runtime's service, or in full: `grpc.health.v1.Health/Check`. */
export async function startPeer(target = ''): Promise<GrpcPeer> {
  const thread = new Worker(new URL('peer-thread.mjs', import.meta.url), { execArgv: [] });
  const waiting = new Map<number, (answer: Answer) => void>();
  let lastId = 0;
  thread.on('message', (answer: Answer) => waiting.get(answer.id)?.(answer));
  await once(thread, 'message');

  const order = (what: object): void => thread.postMessage(what);
  const pathOf = (method: string): string => (method.includes('/') ? method : `${RUNTIME}/${method}`);

  function call(method: string, request: object, options: CallOptions): Promise<Answer> {
    const id = ++lastId;
    return new Promise((resolve) => {
      waiting.set(id, (answer) => {
        waiting.delete(id);
        resolve(answer);
      });
      order({ order: 'ask', id, path: pathOf(method), request, target: peer.target, ...options });
    });
  }

  function open(method: string, options: CallOptions = {}): PeerStream {
    const id = ++lastId;
    const messages: Read[] = [];
    let read = 0;
    let wake = (): void => {};
    let isOver = false;
    let begin = (): void => {};
    let finish = (_status: CallStatus): void => {};
    const began = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const status = new Promise<CallStatus>((resolve) => {
      finish = resolve;
    });
    waiting.set(id, (answer) => {
      if (answer.event === 'began') begin();
      else if (answer.event === 'message' && answer.message !== undefined) messages.push(answer.message);
      else if (answer.status !== undefined) {
        isOver = true;
        waiting.delete(id);
        finish(answer.status);
      }
      wake();
    });
    order({ order: 'open', id, path: pathOf(method), target: peer.target, ...options });
    async function next(): Promise<Read> {
      for (;;) {
        const message = messages[read];
        if (message !== undefined) {
          read++;
          return message;
        }
        if (isOver) throw new Error(`The stream ended first: ${JSON.stringify(await status)}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
    return {
      messages,
      began,
      status,
      next,
      async take(count) {
        const taken: Read[] = [];
        while (taken.length < count) taken.push(await next());
        return taken;
      },
      write: (request) => order({ order: 'write', id, request }),
      end: () => order({ order: 'end', id }),
      cancel: () => order({ order: 'cancel', id }),
      pause: () => order({ order: 'pause', id }),
      resume: () => order({ order: 'resume', id }),
    };
  }

  const peer: GrpcPeer = {
    target,
    async ask(method, request, options = {}) {
      const { response, status } = await call(method, request, options);
      if (response === undefined) throw new Error(`${method}: ${JSON.stringify(status)}`);
      return response;
    },
    async refused(method, request, options = {}) {
      const { response, status } = await call(method, request, options);
      if (status === undefined) throw new Error(`${method} succeeded: ${JSON.stringify(response)}`);
      return status;
    },
    open,
    async [Symbol.asyncDispose]() {
      await thread.terminate();
    },
  };
  return peer;
}
