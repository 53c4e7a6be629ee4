import { type Participant, type PendingProposal, ProposalNotPendingError } from '@proffer/client';
import { defined, type JsonObject } from '@proffer/core/json';
import { parseRules, startSteward } from '@proffer/steward';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGate, type Gate, type GateOptions } from '../gate/index.js';
import type { Conversation, Driver } from './driver.js';
import { plainName } from './driver-names.js';
import { join, startTestGateway, type TestGateway } from './gateway.js';

const RULES = parseRules(
  `
rules:
  - { name: never, action: deny, reason: Never on a Friday., match: { tool: denied_* } }
  - { name: small, action: allow, match: { tool: small_* } }
`,
  'rules.yaml',
);

/** Every possible outcome of a call, with a real gateway in between: the same for every framework. */
export function describeMatrix(driver: Driver): void {
  describe(`calls by ${driver.name}`, () => {
    let gateway: TestGateway;
    let reviewer: Participant;
    let steward: Participant;
    let count = 0;

    beforeAll(async () => {
      gateway = await startTestGateway();
      reviewer = await join(gateway, 'reviewer');
      steward = await join(gateway, 'steward');
      if (RULES.ok) startSteward({ participant: steward, rules: RULES.value });
    });
    afterAll(async () => {
      await reviewer.close();
      await steward.close();
      await gateway[Symbol.asyncDispose]();
    });

    interface Scene extends AsyncDisposable {
      readonly gate: Gate;
      readonly conversation: Conversation;
      /** The arguments of each run of the tool. */
      readonly ran: unknown[];
      readonly received: Promise<string>;
      /** A process that takes over the conversation from this one, which was killed. */
      readonly resume: () => Promise<Scene>;
      readonly proposal: () => Promise<PendingProposal>;
    }

    interface SceneOptions extends Partial<GateOptions> {
      readonly signal?: AbortSignal;
      /** The prefix of the tool's name. */
      readonly prefix?: string;
    }

    function play(
      { signal, prefix = 'pay', ...options }: SceneOptions = {},
      before?: Conversation,
      ran: unknown[] = [],
    ): Scene {
      if (before === undefined) count += 1;
      const tool = before?.tool ?? `${prefix}_${count}`;
      const named = { agent: `bot-${plainName(driver)}`, session: `session-${tool}` };
      const gate = createGate({ ...named, url: gateway.url, ...options });
      const conversation: Conversation = {
        gate,
        tool,
        arguments: { amount: 5 },
        execute: (args) => {
          ran.push(args);
          if (prefix === 'burst') throw new Error('The pipe burst.');
          return `paid ${JSON.stringify(args)}`;
        },
        saved: { ...before?.saved },
        ...defined({ signal }),
      };
      const received = driver.converse(conversation);
      received.catch(() => {});
      return {
        gate,
        conversation,
        ran,
        received,
        async resume() {
          const left = { ...conversation, saved: { ...conversation.saved } };
          await gate.close();
          return play(options, left, ran);
        },
        proposal: () => pending(tool),
        [Symbol.asyncDispose]: () => gate.close(),
      };
    }

    function findPending(tool: string): PendingProposal | undefined {
      return reviewer.pending.find(({ params }) => params?.['name'] === tool);
    }

    async function viewOf(id: string): Promise<unknown> {
      const response = await fetch(`${gateway.url.replace('ws:', 'http:')}/spaces/main/proposals/${id}`, {
        headers: { authorization: 'Bearer reviewer' },
      });
      return await response.json();
    }

    async function pending(tool: string): Promise<PendingProposal> {
      await expect.poll(() => findPending(tool), { interval: 10 }).toBeDefined();
      const found = findPending(tool);
      if (found === undefined) throw new Error(`${tool} is gone.`);
      return found;
    }

    it('allowed: a call that the gate does not ask about runs at once', async () => {
      await using scene = play({ needsApproval: () => false, url: 'ws://127.0.0.1:1' });
      expect(await scene.received).toContain('paid');
      expect(scene.ran).toEqual([{ amount: 5 }]);
    });

    it("allowed and denied by a steward's rules: runs once, or not at all, and the model is told why", async () => {
      await using allowed = play({ prefix: 'small' });
      await using denied = play({ prefix: 'denied' });
      expect(await allowed.received).toContain('paid');
      expect(allowed.ran).toEqual([{ amount: 5 }]);
      expect(await denied.received).toContain('Never on a Friday.');
      expect(denied.ran).toEqual([]);
    });

    /** Approves, and waits for the result if the framework reports it. */
    async function approve(proposal: PendingProposal, params?: JsonObject): Promise<unknown> {
      const fulfilled = reviewer.fulfil(proposal, params);
      fulfilled.catch(() => {});
      return driver.reports === false ? undefined : await fulfilled;
    }

    it('O-26, O-46: approved: runs once, and the approver sees the result, or that there is none', async () => {
      await using scene = play();
      const proposal = await scene.proposal();
      expect(scene.ran).toEqual([]);
      const result = await approve(proposal);
      expect(await scene.received).toContain('paid');
      expect(scene.ran).toEqual([{ amount: 5 }]);
      const state = driver.reports === false ? { phase: 'allowed' } : { outcome: { result: 'ok' } };
      expect(await viewOf(proposal.id)).toMatchObject({ proposal: state });
      if (driver.reports !== false) expect(JSON.stringify(result)).toContain('paid');
    });

    it('O-46: a tool that fails: the approver sees that it failed', async () => {
      if (driver.reports === false) return;
      await using scene = play({ prefix: 'burst' });
      const { id } = await scene.proposal();
      reviewer.fulfil(await scene.proposal()).catch(() => {});
      await scene.received.catch(() => {});
      await expect.poll(() => viewOf(id)).toMatchObject({ proposal: { outcome: { result: 'error' } } });
    });

    it('O-13: edited: runs once, with the approved arguments', async () => {
      await using scene = play();
      const { tool } = scene.conversation;
      await approve(await scene.proposal(), { name: tool, arguments: { amount: 4 } });
      expect(await scene.received).toContain('4');
      expect(scene.ran).toEqual([{ amount: 4 }]);
    });

    it('O-31: rejected: does not run, and the model is told why', async () => {
      await using scene = play();
      await reviewer.reject((await scene.proposal()).id, 'policy', 'Not on a Friday.');
      expect(await scene.received).toContain('Not on a Friday.');
      expect(scene.ran).toEqual([]);
    });

    it('O-19: expired: does not run, and the model is told that nobody decided', async () => {
      await using scene = play({ ttl: 200 });
      expect(await scene.received).toContain('not decided in time');
      expect(scene.ran).toEqual([]);
    });

    it('O-15, O-12: cancelled: is withdrawn, and a late approval runs nothing', async () => {
      const cancel = new AbortController();
      await using scene = play({ signal: cancel.signal });
      const proposal = await scene.proposal();
      cancel.abort();
      await expect.poll(() => findPending(scene.conversation.tool), { interval: 10 }).toBeUndefined();
      await expect(reviewer.fulfil(proposal)).rejects.toThrow(ProposalNotPendingError);
      await scene.received.catch(() => {});
      expect(scene.ran).toEqual([]);
    });

    it('gateway down: does not run, and the model is told that nobody could be asked', async () => {
      await using scene = play({ url: 'ws://127.0.0.1:1', timeout: 200 });
      expect(await scene.received).toContain('could not be asked');
      expect(scene.ran).toEqual([]);
    });

    it('I-1: gateway killed while it waits: the wait resumes when it is back, and the call runs once', async () => {
      await using scene = play({ retry: { delay: 20, maxDelay: 100 } });
      await scene.proposal();
      await gateway.stop();
      await gateway.start();
      await approve(await scene.proposal());
      expect(await scene.received).toContain('paid');
      expect(scene.ran).toEqual([{ amount: 5 }]);
    });

    if (!driver.resumes) return;

    it('O-3: agent killed while it waits: the resumed one finds its own proposal, and the call runs once', async () => {
      await using killed = play();
      const before = await killed.proposal();
      await using scene = await killed.resume();
      const proposal = await scene.proposal();
      expect(proposal.id).toBe(before.id);
      await expect.poll(() => reviewer.participants.map(({ id }) => id)).toContain(proposal.proposer);
      await approve(proposal);
      expect(await scene.received).toContain('paid');
      expect(scene.ran).toEqual([{ amount: 5 }]);
    });
  });
}
