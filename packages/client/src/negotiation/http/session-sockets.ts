import type { Ack, MacpEnvelope } from '@proffer/core/negotiation';
import type { AcceptedEnvelope, Attempt } from '../transport.js';
import { SessionSocket, type SessionSocketOptions } from './session-socket.js';

/**
 * The WebSockets of one client: usually one, another if the same session is followed twice or the
 * token changed.
 */
export class SessionSockets {
  readonly #options: Pick<SessionSocketOptions, 'openSocket' | 'base'>;
  readonly #sockets = new Set<SessionSocket>();

  constructor(options: Pick<SessionSocketOptions, 'openSocket' | 'base'>) {
    this.#options = options;
  }

  send(envelope: MacpEnvelope, attempt: Attempt): Promise<Ack> {
    return this.#find(attempt, () => true).send(envelope, attempt);
  }

  follow(sessionId: string, after: number, attempt: Attempt): AsyncGenerator<AcceptedEnvelope, undefined> {
    return this.#find(attempt, (socket) => socket.canFollow(sessionId)).follow(sessionId, after, attempt);
  }

  close(): void {
    for (const socket of this.#sockets) socket.close();
  }

  #find({ token }: Attempt, fits: (socket: SessionSocket) => boolean): SessionSocket {
    for (const socket of this.#sockets) if (socket.token === token && fits(socket)) return socket;
    const socket = new SessionSocket({
      ...this.#options,
      token,
      onOver: () => void this.#sockets.delete(socket),
    });
    this.#sockets.add(socket);
    return socket;
  }
}
