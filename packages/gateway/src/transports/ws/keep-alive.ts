import type { WebSocket, WebSocketServer } from 'ws';

/** The ping interval for silent peers, in milliseconds. One that does not answer in time is cut. */
const INTERVAL = 30_000;

/** How many are pinged before others get a turn: ten thousand take a tenth of a second (I-7). */
const AT_ONCE = 100;

/** Finds connections whose peer disappeared: otherwise they would be written to forever. */
export function keepAlive(server: WebSocketServer): { stop(): void } {
  const silent = new WeakSet<WebSocket>();
  server.on('connection', (webSocket) => {
    webSocket.on('pong', () => silent.delete(webSocket));
  });
  function ask(webSocket: WebSocket): void {
    if (silent.has(webSocket)) return webSocket.terminate();
    silent.add(webSocket);
    webSocket.ping();
  }

  async function askAll(): Promise<void> {
    let asked = 0;
    for (const webSocket of server.clients) {
      ask(webSocket);
      if (++asked % AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  const timer = setInterval(() => void askAll(), INTERVAL);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
