import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A proxy between a client and its server that can drop what the server sends. */
export interface Proxy extends AsyncDisposable {
  readonly url: string;
  /** From now on what the server sends is dropped; what the client sends still arrives. */
  mute(): void;
  /** Cuts every connection; later ones work. */
  cut(): void;
}

/** Forwards connections to a NATS server. */
export async function startProxy(server: string): Promise<Proxy> {
  const { hostname, port } = new URL(server);
  const sockets = new Set<Socket>();
  let isMute = false;
  const listener = createServer((client) => {
    const behind = connect(Number(port), hostname);
    for (const socket of [client, behind]) {
      sockets.add(socket);
      socket
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(socket);
          client.destroy();
          behind.destroy();
        });
    }
    client.on('data', (data) => behind.write(data));
    behind.on('data', (data) => {
      if (!isMute) client.write(data);
    });
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const cut = (): void => {
    isMute = false;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `nats://127.0.0.1:${(listener.address() as { readonly port: number }).port}`,
    mute() {
      isMute = true;
    },
    cut,
    async [Symbol.asyncDispose]() {
      cut();
      listener.close();
      await once(listener, 'close');
    },
  };
}
