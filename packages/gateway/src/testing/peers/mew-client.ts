import { once } from 'node:events';
import { isJsonObject, type JsonObject } from '@proffer/core/json';
import { WebSocket } from 'ws';

/**
 * A client that behaves like mew clients: a join as its first message, ids that count from 1.
 *
 * @param headers - of the request. Default: none, like most of them
 */
export async function joinAs(url: string, join: JsonObject, headers: Readonly<Record<string, string>> = {}) {
  const webSocket = new WebSocket(url, { headers });
  const heard: JsonObject[] = [];
  const frames: string[] = [];
  const looks = new Set<() => void>();
  webSocket.on('message', (data: Buffer) => {
    const text = data.toString();
    const message: unknown = text.startsWith('#') ? frames.push(text) : JSON.parse(text);
    if (isJsonObject(message)) heard.push(message);
    for (const look of looks) look();
  });
  const closed = once(webSocket, 'close') as Promise<[number, Buffer]>;
  await once(webSocket, 'open');
  const send = (message: JsonObject): void => webSocket.send(JSON.stringify(message));
  send(join);

  const first = <Item>(items: readonly Item[], fits: (item: Item) => boolean) =>
    new Promise<Item>((resolve) => {
      const look = (): void => {
        const found = items.find(fits);
        if (found === undefined) return;
        looks.delete(look);
        resolve(found);
      };
      looks.add(look);
      look();
    });

  return {
    webSocket,
    /** Messages so far. */
    heard,
    /** Data frames of streams so far. */
    frames,
    send: (message: JsonObject) => send({ protocol: 'mew/v0.4', ts: new Date().toISOString(), ...message }),
    raw: (text: string | Buffer) => webSocket.send(text),
    /** The first matching message, past or future. */
    next: (fits: (message: JsonObject) => boolean) => first(heard, fits),
    /** The same for a data frame. */
    nextFrame: (fits: (frame: string) => boolean) => first(frames, fits),
    closed: closed.then(([code, reason]) => ({ code, reason: reason.toString() })),
    async [Symbol.asyncDispose]() {
      webSocket.close();
      await closed;
    },
  };
}

export const rootOf = (http: string) => http.replace(/^http/, 'ws');
export const ofKind = (kind: string) => (message: JsonObject) => message['kind'] === kind;
export const ofId = (id: string) => (message: JsonObject) => message['id'] === id;
