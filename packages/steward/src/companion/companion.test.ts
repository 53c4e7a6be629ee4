import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Participant } from '@proffer/client';
import { type JsonObject, objectOf, objectsIn } from '@proffer/core/json';
import { type LoopbackGateway, startOnLoopback } from '@proffer/gateway';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publishRules } from '../index.js';
import { rulesOf } from '../testing/rules.js';
import { startTestSteward } from '../testing/space.js';
import { undescribed } from '../testing/undescribed.js';
import { createSlices } from './in-slices.js';
import { rulesCompanion } from './index.js';

const CONFIG = `
dev: true
spaces: { main: {}, secret: { visibility: addressed } }
participants:
  ann: { spaces: { secret: ["*"] } }
  steward: { spaces: { main: ["*"] } }
`;
const RULES = `
rules:
  - { name: no secrets, action: deny, match: { arguments: { path: /etc/** } } }
  - { name: drafts, action: allow, match: { tool: write_file, arguments: { path: /tmp/** } } }`;
const TEXT =
  'rules: [{ name: logs, action: allow, match: { tool: write_file, arguments: { path: /var/log/** } } }]';

let folder = '';
let gateway: LoopbackGateway;
const people: Participant[] = [];

const enter = async (name: string, space = 'main'): Promise<Participant> => {
  const participant = await connect({ url: gateway.url, token: name, space });
  people.push(participant);
  return participant;
};

async function ask(path: string, who = 'reviewer', posted?: JsonObject): Promise<JsonObject> {
  const response = await fetch(`http://127.0.0.1:${gateway.port}/spaces/${path}`, {
    headers: { authorization: `Bearer ${who}` },
    ...(posted === undefined ? {} : { method: 'POST', body: JSON.stringify(posted) }),
  });
  return (await response.json()) as JsonObject;
}

/** Answers match the gateway's own description: nothing missing, nothing undocumented. */
async function askDescribed(route: string, path = route, posted?: JsonObject): Promise<JsonObject> {
  const answer = await ask(`main/rules${path}`, 'reviewer', posted);
  const { paths } = (await (
    await fetch(`http://127.0.0.1:${gateway.port}/openapi.json`)
  ).json()) as JsonObject;
  const method = posted === undefined ? 'get' : 'post';
  const described = [`/spaces/{space}/rules${route}`, method, 'responses', '200'].reduce(
    (inside, key) => objectOf(objectOf(inside)[key]),
    paths as JsonObject,
  );
  const { schema } = objectOf(objectOf(described['content'])['application/json']);
  expect(undescribed(answer, objectOf(schema))).toEqual([]);
  return answer;
}

async function decide(
  agent: Participant,
  reviewer: Participant,
  path: string,
  isAllowed = true,
): Promise<string> {
  const params = { name: 'write_file', arguments: { path, content: `written to ${path}` } };
  const proposal = agent.propose('tools/call', params);
  proposal.catch(() => {});
  await proposal.accepted;
  if (isAllowed) await reviewer.fulfil({ id: proposal.id, method: 'tools/call', params });
  else await reviewer.reject(proposal.id, 'unsafe');
  return proposal.id;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'proffer-rules-'));
  gateway = await startOnLoopback(CONFIG, { folder, companions: [rulesCompanion] });
});
afterAll(async () => {
  await Promise.all(people.map((one) => one.close()));
  await gateway.gateway.close();
  await rm(folder, { recursive: true, force: true });
});

describe('rules over HTTP', () => {
  it('are shown in plain language with recent decisions, suggested with evidence, drafted and tried', async () => {
    const [files, agent, reviewer, steward] = await Promise.all(
      ['tools', 'agent', 'reviewer', 'steward'].map((name) => enter(name)),
    );
    if (!files || !agent || !reviewer || !steward) throw new Error('somebody is missing');
    await files.serve([{ name: 'write_file', handler: () => 'done' }]);
    const { until } = startTestSteward(steward, RULES);
    const problems: string[] = [];
    const show = { owner: 'steward', onProblem: (problem: string) => problems.push(problem) } as const;
    await publishRules(steward, rulesOf(RULES, '/srv/rules.yaml'), show);
    const params = { name: 'write_file', arguments: { path: '/tmp/a' } };
    const allowed = agent.propose('tools/call', params);
    await allowed;
    await until(({ type }) => type === 'decided');
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c', 'd']) ids.push(await decide(agent, reviewer, `/srv/app/${name}`));
    await decide(agent, reviewer, '/var/log/a', false);

    expect(await ask('main/rules', 'agent')).toMatchObject({
      owners: [
        {
          participant: 'steward',
          owner: 'steward',
          source: '/srv/rules.yaml',
          connected: true,
          rules: [
            { name: 'no secrets', decided: { count: 0 } },
            { words: 'Allow write_file if path is "/tmp/**".', decided: { count: 1 } },
          ],
          otherwise: { words: 'Ask people about everything else.' },
          lately: [{ action: 'allow', tool: 'write_file', rule: 1, proposal: allowed.id }],
        },
      ],
    });

    await askDescribed('');
    const { suggestions } = await askDescribed('/suggestions');
    expect(suggestions).toMatchObject([
      {
        action: 'allow',
        words: expect.stringMatching(/^Allow write_file by agent on tools if .*path is "\/srv\/app\/\*\*"/),
        evidence: { count: 4, shown: [{ proposal: ids[3], decided: { by: 'reviewer' } }, {}, {}, {}] },
        already: [],
      },
    ]);
    // Once a participant's rules do the same, the suggestion says so.
    const [first] = suggestions as { readonly text: string }[];
    await publishRules(reviewer, rulesOf(first?.text ?? ''), { ...show, owner: 'guard' });
    expect(await ask('main/rules/suggestions')).toMatchObject({ suggestions: [{ already: ['reviewer'] }] });

    const { drafts } = await askDescribed('/draft', `/draft?proposal=${ids[0]}&action=deny`);
    expect(drafts).toMatchObject([
      { words: expect.stringContaining('path is exactly "/srv/app/a"') },
      { words: expect.stringContaining('path is "/srv/app/**"') },
    ]);
    expect(await ask('main/rules/draft?proposal=nothing')).toMatchObject({ code: 'unknown_proposal' });

    const tried = await askDescribed('/try', '/try', { rules: TEXT, behind: 'steward' });
    expect(tried).toMatchObject({
      words: [{ name: 'logs', words: 'Allow write_file if path is "/var/log/**".' }],
      counts: { same: 0, different: 1, newly_automatic: 0, asked: 5 },
      already: 1,
      different: { count: 1, shown: [{ action: 'allow', decided: { decision: 'deny', by: 'reviewer' } }] },
    });
    const wrong = await askDescribed('/try', '/try', { rules: 'rules: [{ action: alow }]' });
    expect(wrong).toMatchObject({ problems: [{ line: 1, suggestion: 'allow' }, { path: 'rules[0].match' }] });
    expect(problems).toEqual([]);
  });

  it('O-50: what was only watched is shown with the rules that would have answered, and decides nothing', async () => {
    expect(await askDescribed('/watched')).toEqual({});
    const hook = await enter('hook');
    const open = [{ server: 'hook', tool: 'Bash', command: 'make' }];
    const call = { would: 'ask', tool: 'hook/Bash', server: 'hook', arguments: { command: 'make' }, open };
    const observed = [call, call, call, { would: 'allow', tool: 'hook/Bash', server: 'hook', reads: true }];
    await hook.send({ kind: 'chat.message', to: ['hook'], payload: { text: '', observed } });
    expect(await askDescribed('/watched')).toMatchObject({
      watched: { calls: 4, reads: 1, asked: 3, rules: 1, answered: 3, suggested: [{ answers: 3 }] },
    });
    const kept = 'rules: [{ name: "watched: hook make", action: allow, match: { command: make } }]';
    await publishRules(hook, rulesOf(kept), { owner: 'hook', onProblem: () => {} });
    await expect
      .poll(() => ask('main/rules/watched'))
      .toMatchObject({ watched: { rules: 1, suggested: [] } });
    // What a protection or the agent's own settings decided was decided by no rule, also by none that is gone.
    const decisions = ['built-in', 'agent-settings', 'gone'].map((version) => ({
      action: 'allow',
      tool: 'x',
      version,
    }));
    await hook.send({ kind: 'chat.message', to: ['hook'], payload: { text: '', decisions } });
    const own = async () =>
      objectsIn((await ask('main/rules'))['owners']).find((one) => one['participant'] === 'hook');
    await expect.poll(own).toMatchObject({ earlier: { count: 1 }, lately: [{}, {}, {}] });
    expect(await ask('main/rules/watched', 'agent')).toMatchObject({ status: 403 });
    const { suggestions } = await ask('main/rules/suggestions');
    expect(JSON.stringify(suggestions)).not.toContain('make');
  });

  it('rejects an invalid draft, and callers who may not decide', async () => {
    expect(await ask('main/rules/suggestions', 'agent')).toMatchObject({
      code: 'capability_violation',
      details: { missing: 'mcpx.reject.proposal' },
    });
    const refusals: readonly (readonly [JsonObject, string])[] = [
      [{}, 'missing_field'],
      [{ rules: 7 }, 'invalid_field'],
      [{ rules: TEXT, behind: ['steward'] }, 'invalid_field'],
      [[] as unknown as JsonObject, 'invalid_json'],
      [{ rules: TEXT, behind: 'nobody' }, 'target_not_found'],
      [{ rules: `# ${'x'.repeat(20_000)}` }, 'too_large'],
      [
        {
          rules: JSON.stringify({
            rules: Array.from({ length: 51 }, () => ({ action: 'ask', match: { tool: 'x' } })),
          }),
        },
        'too_large',
      ],
    ];
    for (const [body, code] of refusals)
      expect(await ask('main/rules/try', 'reviewer', body)).toMatchObject({ code });
    expect(await ask('main/rules/try', 'reviewer', { rules: 7 })).toMatchObject({
      detail: expect.stringContaining('rules is 7; expected the text of a rule file.'),
      details: { field: 'rules', found: '7' },
    });
    expect(await ask('main/rules/draft')).toMatchObject({
      code: 'missing_field',
      details: { field: 'proposal' },
    });
    expect(await ask('main/rules/suggestions?min=x')).toMatchObject({ code: 'invalid_field' });
  });

  it('O-43: are tried only against what the caller may see', async () => {
    const [agent, reviewer, ann] = await Promise.all(
      ['agent', 'reviewer', 'ann'].map((name) => enter(name, 'secret')),
    );
    if (!agent || !reviewer || !ann) throw new Error('somebody is missing');
    const proposal = agent.propose(
      'tools/call',
      { name: 'write_file', arguments: { path: '/var/log/a' } },
      { to: 'reviewer' },
    );
    proposal.catch(() => {});
    await proposal.accepted;
    const counts = async (who: string) =>
      (await ask('secret/rules/try', who, { rules: TEXT }))['counts'] as JsonObject;
    expect(await counts('reviewer')).toMatchObject({ newly_automatic: 1 });
    expect(await counts('ann')).toMatchObject({ newly_automatic: 0 });
  });

  it('I-1: are still known after a restart, even for participants that have left', async () => {
    await Promise.all(people.splice(0).map((one) => one.close()));
    await gateway.gateway.close();
    gateway = await startOnLoopback(CONFIG, { folder, companions: [rulesCompanion] });
    const { owners } = await ask('main/rules');
    expect(owners).toMatchObject([
      { participant: 'hook', connected: false },
      { participant: 'reviewer', connected: false },
      { participant: 'steward', connected: false, rules: [{}, { decided: { count: 1 } }] },
    ]);
  });
});

describe('background work in a gateway', () => {
  it('I-7: runs in slices, one question after another, with a time limit', async () => {
    let time = 0;
    const tick = (): number => ++time;
    const slices = createSlices(tick, tick);
    const order: string[] = [];
    function* counting(name: string, steps: number): Generator<undefined, string> {
      for (let step = 0; step < steps; step++) yield;
      order.push(name);
      return name;
    }
    const first = slices.run(counting('first', 100));
    const turn = new Promise<void>((resolve) => setImmediate(() => resolve(void order.push('a message'))));
    const second = slices.run(counting('second', 1));
    await turn;
    expect(await Promise.all([first, second])).toMatchObject([{ value: 'first' }, { value: 'second' }]);
    expect(order).toEqual(['a message', 'first', 'second']);
    expect(await slices.run(counting('endless', Number.POSITIVE_INFINITY))).toMatchObject({
      refusal: { code: 'too_large' },
    });
    const many = await Promise.all(Array.from({ length: 10 }, () => slices.run(counting('one', 1))));
    expect(many.filter((one) => !one.ok)).toMatchObject([
      { refusal: { code: 'rate_limited' } },
      { refusal: { code: 'rate_limited' } },
    ]);
  });
});
