import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Participant } from '@proffer/client';
import { startOnLoopback } from '@proffer/gateway';
import { type Steward, type StewardEvent, startSteward } from '../index.js';
import { rulesOf } from './rules.js';

/** A real gateway in dev mode, with an agent and a tool server. */
export interface TestSpace extends AsyncDisposable {
  readonly url: string;
  readonly agent: Participant;
  readonly tools: Participant;
  /** The arguments of every call that ran. */
  readonly ran: readonly string[];
  join(name: string): Promise<Participant>;
  /** How many participants are connected to the gateway now. */
  connections(): Promise<number>;
}

const CONFIG = `
dev: true
participants:
  steward: { spaces: { main: ["*"] } }
`;

const TOOLS = [{ name: 'read_file', annotations: { readOnlyHint: true } }, { name: 'write_file' }];

/** @param config - additional configuration, as YAML */
export async function startTestSpace(config = ''): Promise<TestSpace> {
  const folder = await mkdtemp(join(tmpdir(), 'proffer-steward-'));
  const { gateway, url } = await startOnLoopback(`${CONFIG}${config}`, { folder });
  const joined: Participant[] = [];
  const enter = async (name: string): Promise<Participant> => {
    const participant = await connect({ url, token: name, space: 'main' });
    joined.push(participant);
    return participant;
  };
  const ran: string[] = [];
  const tools = await enter('tools');
  await tools.serve(
    TOOLS.map(({ name }) => ({
      name,
      handler: ({ path }) => {
        ran.push(`${name} ${typeof path === 'string' ? path : 'nothing'}`);
        return 'done';
      },
    })),
  );
  await tools.send({ kind: 'mcpx.announce.tools', payload: { tools: TOOLS } });
  return {
    url,
    agent: await enter('agent'),
    tools,
    ran,
    join: enter,
    async connections() {
      const metrics = await (await fetch(`${url.replace(/^ws/, 'http')}/metrics`)).text();
      return Number(/^proffer_connections\{transport="ws"\} (\d+)$/m.exec(metrics)?.[1]);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(joined.map((participant) => participant.close()));
      await gateway.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** A steward whose events can be awaited. */
export interface TestSteward {
  readonly steward: Steward;
  readonly events: readonly StewardEvent[];
  /** Settles with the first matching event, including earlier ones. */
  readonly until: (fits: (event: StewardEvent) => boolean) => Promise<StewardEvent>;
}

export function startTestSteward(participant: Participant, rules: string): TestSteward {
  const events: StewardEvent[] = [];
  const looks = new Set<() => void>();
  const steward = startSteward({
    participant,
    rules: rulesOf(rules),
    onEvent: (event) => {
      events.push(event);
      for (const look of looks) look();
    },
  });
  return {
    steward,
    events,
    until: (fits) =>
      new Promise((resolve) => {
        const look = (): void => {
          const event = events.find(fits);
          if (event === undefined) return;
          looks.delete(look);
          resolve(event);
        };
        looks.add(look);
        look();
      }),
  };
}
