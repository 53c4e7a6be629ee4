import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type IncomingProposal, type Participant } from '@proffer/client';
import type { JsonObject, JsonValue } from '@proffer/core/json';
import { type Gateway, startOnLoopback } from '@proffer/gateway';
import { freePorts } from '@proffer/journal/testing';
import { AGENTS, type AgentId } from '../agents/index.js';
import type { WhenUnavailable } from '../launch/index.js';
import { launch } from '../launch/launch.js';
import { type Resident, type ResidentOptions, startResident } from '../resident/index.js';
import { firstEvent, type Understood, understand } from './agents.js';
import { rulesOf } from './calls.js';
import { reportOf, type TestEnd } from './reports.js';

/** A call as a test makes it. */
export interface TestCall {
  readonly event?: string;
  readonly wait?: number;
  readonly otherwise?: WhenUnavailable;
  /** The event itself, instead of the agent's sample. */
  readonly input?: JsonObject | Buffer;
}

/** A real gateway, the resident process in this process, and someone who decides. */
export interface HookSpace extends AsyncDisposable {
  readonly folder: string;
  readonly url: string;
  readonly resident: Resident;
  readonly reviewer: Participant;
  /** Asks about a command as an agent would, over the socket. */
  call(agent: AgentId, command: string, more?: TestCall): Promise<Understood>;
  /** Approves a command, possibly with other arguments; the promise in the result is for the agent's report. */
  approve(
    command: string,
    args?: JsonObject,
  ): Promise<{ readonly id: string; readonly approved: Promise<JsonValue> }>;
  /** Reports how a command ended, as its agent would. */
  report(agent: AgentId, command: string, end: TestEnd): Promise<void>;
  restartResident(): Promise<void>;
  /** The proposal for a command, once it exists. */
  proposalFor(command: string): Promise<IncomingProposal>;
  stopGateway(): Promise<void>;
  startGateway(): Promise<void>;
}

const HTTP_TOKEN = 'the-token-of-the-hooks';

/** @param more - further options of the resident process */
export async function startHookSpace(rules: string, more: Partial<ResidentOptions> = {}): Promise<HookSpace> {
  const folder = await mkdtemp(join(tmpdir(), 'proffer-hook-'));
  let gateway: Gateway;
  // Nobody else gets it while the gateway is stopped.
  const [port = 0] = await freePorts(1);
  const startGateway = async (): Promise<void> => {
    ({ gateway } = await startOnLoopback('dev: true', { folder: join(folder, 'journal'), port }));
  };
  await startGateway();
  const url = `http://127.0.0.1:${port}`;
  const retry = { delay: 20, maxDelay: 100 };
  const startOne = async (): Promise<Resident> => {
    const started = await startResident({
      folder,
      home: '/home/ada',
      isShared: true,
      env: {},
      rules: { current: rulesOf(rules) },
      guarded: () => ({ folders: [folder], files: [], ports: [port] }),
      enter: async (agent) => {
        const participant = await connect({ url, space: 'main', token: agent, retry });
        return { participant, access: { url, space: 'main', token: agent }, close: async () => {} };
      },
      user: 'ada',
      log: () => {},
      http: { port: 0, token: HTTP_TOKEN },
      ...more,
    });
    if (started === undefined) throw new Error('Somebody else has the folder.');
    return started;
  };
  let resident = await startOne();
  const reviewer = await connect({ url, space: 'main', token: 'reviewer', retry });
  const seen = new Map<string, IncomingProposal>();
  const looks = new Set<() => void>();
  reviewer.onProposal((proposal) => {
    const { arguments: args } = proposal.params as { readonly arguments: { readonly command?: string } };
    seen.set(args.command ?? '', proposal);
    for (const look of looks) look();
  });
  reviewer.on('error', () => {});
  const space: HookSpace = {
    folder,
    url,
    get resident() {
      return resident;
    },
    reviewer,
    async restartResident() {
      await resident.close();
      resident = await startOne();
    },
    async approve(command, args) {
      const proposal = await space.proposalFor(command);
      const params = args === undefined ? [] : [{ ...proposal.params, arguments: args }];
      const approved = proposal.fulfil(...params);
      approved.catch(() => {});
      return { id: proposal.id, approved };
    },
    async report(agent, command, end) {
      const { event, input } = reportOf(agent, '/home/ada/app', command, end);
      await space.call(agent, command, { event, input });
    },
    async call(agent, command, { event = firstEvent(agent), wait = 20_000, otherwise = 'ask', input } = {}) {
      const sent = input ?? AGENTS[agent].sample('/home/ada/app', command);
      const bytes = Buffer.isBuffer(sent) ? sent : Buffer.from(JSON.stringify(sent));
      const asked = { agent, event, wait, otherwise };
      return understand(agent, event, await launch({ asked, folder, serve: ['false'], input: bytes }));
    },
    proposalFor: (command) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = seen.get(command);
          if (found === undefined) return;
          looks.delete(look);
          resolve(found);
        };
        looks.add(look);
        look();
      }),
    stopGateway: () => gateway.close(),
    startGateway,
    async [Symbol.asyncDispose]() {
      await resident.close();
      await reviewer.close();
      await gateway.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  return space;
}

export { HTTP_TOKEN };
