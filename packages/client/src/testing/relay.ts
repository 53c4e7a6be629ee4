import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A network between client and gateway that can be cut. */
export interface Relay extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** How many connections were made through it. */
  readonly made: number;
  /** What the gateway sends no longer arrives, until the next cut. */
  muteGateway(): void;
  /** What the gateway sends is kept until it is released, and then arrives at once. */
  holdGateway(): { release(): void };
  /** Destroys all connections, without a close frame. */
  cut(): void;
}

export async function startRelay(port: number): Promise<Relay> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let made = 0;
  let isMuted = false;
  const server = createServer((client) => {
    made++;
    const gateway = connect(port, '127.0.0.1');
    const pair = [client, gateway] as const;
    pairs.add(pair);
    client.pipe(gateway);
    if (isMuted) gateway.resume();
    else gateway.pipe(client);
    for (const socket of pair) {
      socket.on('error', () => {});
      socket.on('close', () => {
        pairs.delete(pair);
        for (const side of pair) side.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    isMuted = false;
    for (const pair of pairs) for (const socket of pair) socket.resetAndDestroy();
  };
  const own = (server.address() as AddressInfo).port;
  return {
    url: `ws://127.0.0.1:${own}`,
    port: own,
    get made() {
      return made;
    },
    muteGateway() {
      isMuted = true;
      for (const [client, gateway] of pairs) {
        gateway.unpipe(client);
        gateway.resume();
      }
    },
    holdGateway() {
      const held = [...pairs];
      for (const [client] of held) client.cork();
      return {
        release: () => {
          for (const [client] of held) client.uncork();
        },
      };
    },
    cut,
    async [Symbol.asyncDispose]() {
      cut();
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}
