import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { Participant } from '@proffer/client';
import type { JsonObject } from '@proffer/core/json';
import { decideByRules, parseRules } from '@proffer/steward';
import type { ChannelEvents, JsonRpcChannel } from '../../channel/channel.js';
import { createClientStdio } from '../../channel/client-stdio.js';
import { createLineSplitter } from '../../channel/lines.js';
import type { TestSpace } from '../../testing/space.js';
import { Guard, type GuardOptions } from '../guard.js';
import { createProposalArchive } from '../recovery/index.js';
import { createPinFile } from '../trust/index.js';

/** A scripted server that can send anything at any time. */
export interface ScriptedServer {
  /** Everything that reached it. */
  readonly got: JsonObject[];
  say(message: JsonObject): void;
}

/** A line-based client in front of a guard in this process. */
export interface RawClient extends AsyncDisposable {
  readonly participant: Participant;
  readonly server: ScriptedServer;
  /** Everything the client received. */
  readonly got: JsonObject[];
  send(message: JsonObject | string): void;
  /** The first message to the client that matches. */
  told(isIt: (message: JsonObject) => boolean): Promise<JsonObject>;
  /** The answer to a request. */
  answer(id: unknown): Promise<JsonObject>;
  /** Tool calls that reached the server. */
  calls(): readonly JsonObject[];
  /** Another client of the same guard, with its own server. */
  another(answer: RawClientOptions['answer'], about?: Parameters<Guard['connect']>[2]): Promise<RawClient>;
  /** Closes this connection; the guard continues. */
  leave(): Promise<void>;
}

export interface RawClientOptions extends Partial<GuardOptions> {
  /** Default: all are asked about. */
  readonly rules?: string;
  /** The server's answer to a request; `undefined` for none. */
  readonly answer: (request: JsonObject, server: ScriptedServer) => JsonObject | undefined;
}

/** Tools by name, as `tools/list` shows them. */
export function listOf(...names: readonly string[]): JsonObject {
  return { result: { tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) } };
}

export async function connectRaw(
  space: TestSpace,
  { rules = 'default: ask', answer, ...given }: RawClientOptions,
): Promise<RawClient> {
  const participant = await space.join('raw');
  participant.on('error', () => {});
  const parsed = parseRules(rules, 'rules.yaml');
  if (!parsed.ok) throw new Error(parsed.refusal.message);
  const guard = await Guard.start({
    participant,
    archive: createProposalArchive({ url: space.url, space: 'main', token: 'raw' }),
    pins: createPinFile(join(space.folder, 'raw-pins.json')),
    server: 'raw',
    decide: (call) => decideByRules(parsed.value, call),
    ...given,
  });
  return await connectTo(guard, participant, answer);
}

async function connectTo(
  guard: Guard,
  participant: Participant,
  answer: RawClientOptions['answer'],
  about?: Parameters<Guard['connect']>[2],
): Promise<RawClient> {
  const { server, channel } = scripted(answer);
  const input = new PassThrough();
  const output = new PassThrough();
  const got: JsonObject[] = [];
  let look: () => void = () => {};
  const split = createLineSplitter((line) => {
    got.push(JSON.parse(line) as JsonObject);
    look();
  });
  output.on('data', split);
  const connection = await guard.connect(createClientStdio(input, output), channel, about);
  const told: RawClient['told'] = (isIt) =>
    new Promise((resolve) => {
      const before = look;
      look = () => {
        before();
        const found = got.find(isIt);
        if (found !== undefined) resolve(found);
      };
      look();
    });
  const send: RawClient['send'] = (message) =>
    void input.write(
      `${typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...message })}\n`,
    );
  send({ method: 'notifications/initialized' });
  return {
    participant,
    server,
    got,
    send,
    told,
    answer: (id) => told((message) => message['id'] === id && message['method'] === undefined),
    calls: () => server.got.filter(({ method }) => method !== 'tools/list' && isAboutCall(method)),
    another: (answerOther, aboutOther) => connectTo(guard, participant, answerOther, aboutOther),
    leave: () => connection.close(),
    [Symbol.asyncDispose]: async () => void (await guard.close()),
  };
}

/** As a careless server parses it. */
function isAboutCall(method: unknown): boolean {
  return String(method).toLowerCase() === 'tools/call';
}

/** A scripted server, and the channel to it. */
export function scripted(answer: RawClientOptions['answer']): {
  readonly server: ScriptedServer;
  readonly channel: JsonRpcChannel;
} {
  let events: ChannelEvents | undefined;
  const server: ScriptedServer = {
    got: [],
    say: (message) => events?.onMessage({ jsonrpc: '2.0', ...message }),
  };
  return {
    server,
    channel: {
      open: async (given) => {
        events = given;
      },
      send(message) {
        server.got.push(message);
        const { id, method } = message;
        if (typeof method !== 'string' || id === undefined) return true;
        const said = answer(message, server);
        if (said !== undefined) queueMicrotask(() => server.say({ id, ...said }));
        return true;
      },
      pause() {},
      resume() {},
      close: async () => {},
    },
  };
}
