import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

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

/** A gRPC client in a separate process that shares no code with the gateway. */
export interface GrpcPeer extends AsyncDisposable {
  readonly process: ChildProcess;
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
  const child = fork(fileURLToPath(new URL('peer-process.mjs', import.meta.url)), {
    serialization: 'advanced',
    execArgv: [],
  });
  const waiting = new Map<number, (answer: Answer) => void>();
  let lastId = 0;
  child.on('message', (answer: Answer) => waiting.get(answer.id)?.(answer));
  await once(child, 'message');

  const order = (what: object): void => void child.send(what);
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
    process: child,
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
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
  return peer;
}
