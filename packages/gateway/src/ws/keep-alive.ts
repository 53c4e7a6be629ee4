import type { WebSocket, WebSocketServer } from 'ws';

/** How often a silent peer is asked whether it is there, in milliseconds. One that does not answer in time is cut. */
const INTERVAL = 30_000;

/** Finds connections whose peer is gone without a word: otherwise they would be written to for ever. */
export function keepAlive(server: WebSocketServer): { stop(): void } {
  const silent = new WeakSet<WebSocket>();
  server.on('connection', (webSocket) => {
    webSocket.on('pong', () => silent.delete(webSocket));
  });
  const timer = setInterval(() => {
    for (const webSocket of server.clients) {
      if (silent.has(webSocket)) {
        webSocket.terminate();
        continue;
      }
      silent.add(webSocket);
      webSocket.ping();
    }
  }, INTERVAL);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
