import { join } from 'node:path';
import { Client, type ClientOptions, InMemoryTransport } from '@modelcontextprotocol/client';
import type { Participant } from '@proffer/client';
import { decideByRules, defaultRules } from '@proffer/steward';
import { createTransportChannel } from '../channel/transport-channel.js';
import { Guard, type GuardOptions } from '../guard/guard.js';
import { createProposalArchive, reportLostCalls } from '../guard/recovery/index.js';
import { createPinFile } from '../guard/trust/index.js';
import { createNotesServer, type NotesServerOptions } from './servers/notes-server.js';
import type { TestSpace } from './space.js';

/** A guard in this process, between a client and the notes server. */
export interface InProcess extends AsyncDisposable {
  readonly client: Client;
  readonly guard: Guard;
  readonly participant: Participant;
  /** Another client of the same guard, with its own server. */
  connect(options?: ClientOptions): Promise<Client>;
}

export interface InProcessOptions extends Partial<GuardOptions> {
  readonly name?: string;
  readonly notes?: Partial<NotesServerOptions>;
  readonly clientOptions?: ClientOptions;
}

export async function guardInProcess(space: TestSpace, options: InProcessOptions = {}): Promise<InProcess> {
  const { name = 'notes', notes, clientOptions, ...given } = options;
  const archive = createProposalArchive({ url: space.url, space: 'main', token: name });
  const participant = await space.join(name);
  await reportLostCalls(participant, archive);
  participant.on('error', () => {});
  const rules = defaultRules();
  const guard = await Guard.start({
    participant,
    archive,
    pins: createPinFile(join(space.folder, 'pins.json')),
    server: 'notes',
    // Nobody is asked about them, except in tests that are about that.
    hints: () => true,
    decide: (call) => decideByRules(rules, call),
    ...given,
  });
  const connect = async (more: ClientOptions = {}): Promise<Client> => {
    const [toClient, front] = InMemoryTransport.createLinkedPair();
    const [back, toServer] = InMemoryTransport.createLinkedPair();
    const server = createNotesServer({ file: join(space.folder, 'notes.txt'), ...notes });
    await server.connect(toServer);
    await guard.connect(createTransportChannel(front), createTransportChannel(back));
    const client = new Client({ name: 'test', version: '1.0.0' }, more);
    await client.connect(toClient);
    return client;
  };
  const client = await connect(clientOptions);
  return {
    client,
    guard,
    participant,
    connect,
    [Symbol.asyncDispose]: async () => void (await guard.close()),
  };
}
