import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Participant } from '@proffer/client';
import { defined } from '@proffer/core/json';
import { loopbackConfig, startGateway } from '@proffer/gateway';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { CHANNEL_TYPES } from '../channels/registry.js';
import { notifyCompanion } from '../companion.js';
import { type HttpReceiver, receiveHttp } from './receivers.js';

/** In milliseconds. */
export const HOUR = 3_600_000;

/** A gateway whose messages to the reviewer contain decision links. */
export async function setUp({ links = 'links: bearer', review = '', redact = '' } = {}) {
  const ntfy = await receiveHttp();
  onTestFinished(() => ntfy[Symbol.asyncDispose]());
  const folder = await mkdtemp(join(tmpdir(), 'proffer-links-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const yaml = `dev: true
${review === '' ? '' : `spaces: { main: { review: [${review}] } }`}
notify:
  ${links}
  redact: [${redact}]
  channels: { phone: { type: ntfy, server: "${ntfy.url}" } }
  participants: { reviewer: [{ channel: phone, to: t, digest: 0s }] }
`;
  let ahead = 0;
  const logged: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line) => logged.push(line) });
  async function start() {
    const started = await startGateway({
      config: {
        ...loopbackConfig(yaml, { channelTypes: CHANNEL_TYPES }),
        journal: { backend: 'local', path: folder },
      },
      log,
      companions: [notifyCompanion],
      clock: () => Date.now() + ahead,
    });
    if (!started.ok) throw new Error(started.refusal.message);
    return started.value;
  }
  let gateway = await start();
  onTestFinished(() => gateway.close());
  const url = () => `http://127.0.0.1:${gateway.address.port}`;
  const enter = async (token: string): Promise<Participant> => {
    const participant = await connect({ url: url(), token, space: 'main' });
    onTestFinished(() => participant.close());
    return participant;
  };
  let tools: Participant;
  const serve = async () => {
    tools = await enter('tools');
    await tools.serve([{ name: 'echo', handler: ({ text }) => text }]);
  };
  await serve();
  const agent = await enter('agent');
  const post = async (body: object) => {
    const response = await fetch(`${url()}/hooks/decision-link`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  return {
    ntfy,
    logged,
    folder,
    post,
    url,
    enter,
    tools: () => tools,
    restart: async () => {
      await gateway.close();
      gateway = await start();
      await serve();
    },
    passes: (span: number) => {
      ahead += span;
    },
    propose: (given: Record<string, string>, reason?: string) => {
      const proposal = agent.propose(
        'tools/call',
        { name: 'echo', arguments: given },
        { ttl: 3 * HOUR, ...defined({ reason }) },
      );
      proposal.catch(() => {});
      return proposal;
    },
  };
}

/** What the page shows of a proposal. */
interface Shown {
  readonly digest: string;
  readonly version: number;
  readonly wouldRun: { readonly name: string; readonly definition: string };
}

/** What the page posts to approve what it showed. */
export function approvalOf(key: string, body: Record<string, unknown>) {
  const { digest, version, wouldRun } = body['proposal'] as Shown;
  const { name: executor, definition } = wouldRun;
  return { key, decision: 'approve', digest, version, executor, definition };
}

interface Sent {
  readonly click: string;
  readonly actions: readonly { readonly label: string; readonly url: string; readonly body?: string }[];
}

/** The link in a message, and its key. */
export async function sentTo(ntfy: HttpReceiver, count = 1) {
  const received = await ntfy.until(count);
  const sent = JSON.parse(received[count - 1]?.body ?? '{}') as Sent;
  return { ...sent, key: new URL(sent.click).hash.slice('#decide='.length) };
}
