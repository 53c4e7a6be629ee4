import type { JsonObject } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import { plainMessage } from '../../json-rpc.js';
import { answerFor, stillWaitingResult } from '../answers.js';
import { callKey, createCallIds, keyOfProposal, qualifiedName } from '../call-identity.js';
import { planHold } from '../client/index.js';
import { serverNameFrom, serverNameFromUrl, sourceOfCommand } from '../server/index.js';
import { paramsToRun, readToolCall } from '../tool-call.js';
import { pinDigest } from '../trust/index.js';
import { withTasks, withWaitTool } from '../wait-tool.js';
import { waitingText } from '../waiting-text.js';

const identity = {
  principal: 'notes',
  server: 'notes',
  identity: 'node notes.js',
  tool: 'append',
  arguments: { a: 1, b: [2] },
};
const read = (params: object) =>
  readToolCall({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params } });
const request = (params: object) => {
  const call = read(params);
  if ('problem' in call) throw new Error(call.problem);
  return call;
};

describe('call key', () => {
  it('O-3: is the same for the same request, however its arguments are ordered', () => {
    expect(callKey(identity)).toBe(callKey({ ...identity, arguments: { b: [2], a: 1 } }));
  });

  it.each([
    ['principal', { principal: 'other' }],
    ['server', { server: 'other' }],
    ['server of the same name', { identity: 'other' }],
    ['tool', { tool: 'other' }],
    ['arguments', { arguments: { a: 1, b: [3] } }],
  ])('differs for another %s', (_what, change) => {
    expect(callKey({ ...identity, ...change })).not.toBe(callKey(identity));
  });

  it('is recovered from the id of a proposal, and from no other id', () => {
    const { next, isOwn, isForeign } = createCallIds(identity, Date.now());
    const [one, two] = [next(callKey(identity)), next(callKey(identity))];
    expect(one).not.toBe(two);
    expect([one, two].map(keyOfProposal)).toEqual([callKey(identity), callKey(identity)]);
    expect(keyOfProposal('call-1')).toBeUndefined();
    const other = createCallIds({ ...identity, identity: 'other' }, Date.now());
    expect([one, 'call-1'].map(isOwn)).toEqual([true, false]);
    expect([one, 'call-1'].map(isForeign)).toEqual([false, false]);
    expect([other.isOwn(one), other.isForeign(one)]).toEqual([false, true]);
  });

  it('O-26: tool names include their server', () => {
    expect(qualifiedName('notes', 'notes', 'append')).toBe('notes/append');
    expect(qualifiedName('notes-2', 'notes', 'append')).toBe('notes-2/notes/append');
  });
});

describe('how a call is held', () => {
  const times = { progressEvery: 10_000, holdFor: 50_000 };
  const tasks = {
    'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
  };

  it.each([
    ['as a task, if the request declares tasks', { _meta: { ...tasks, progressToken: 1 } }, { kind: 'task' }],
    [
      'for a while with progress, if it has a token',
      { _meta: { progressToken: 0 } },
      { kind: 'wait', for: 50_000, sayEvery: 10_000 },
    ],
    ['for a while, otherwise', {}, { kind: 'wait', for: 50_000, sayEvery: 10_000 }],
    [
      'for a while, if what it declares is nonsense',
      { _meta: { progressToken: {} } },
      { kind: 'wait', for: 50_000, sayEvery: 10_000 },
    ],
  ])('%s', (_title, params, plan) => {
    const call = request({ name: 'append', ...params });
    expect(planHold(call, times)).toEqual(plan);
  });

  it('sends the server what was approved, and besides that only protocol fields', () => {
    const protocols = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test' },
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/logLevel': 'debug',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      tracestate: 'one=two',
    };
    const others = {
      own: true,
      baggage: 'a=b',
      'io.modelcontextprotocol/other': 1,
      'example.com/tenant': 'x',
    };
    const wish = { name: 'append', arguments: { a: 1 }, task: { ttl: 5 } };
    const approved = { ...wish, arguments: { a: 2 } };
    const call = request({ ...wish, _meta: { progressToken: 7, ...protocols, ...others } });
    const { task } = wish;
    const ours = { progressToken: 'ours', task };
    expect(paramsToRun(call, { a: 2 }, ours)).toEqual({
      ...approved,
      _meta: { progressToken: 'ours', ...protocols },
    });
    expect(paramsToRun(request({ ...wish, _meta: others }), { a: 2 }, ours)).toEqual(approved);
  });
});

describe('ambiguous call', () => {
  it.each([
    ['other capitals', { name: 'read', Name: 'append' }, '"Name" is not a param of a tool call.'],
    [
      'arguments that are a list',
      { name: 'read', arguments: [] },
      'The arguments of a tool must be an object.',
    ],
    ['the tool of those who approve', { name: 'proffer_trust' }, 'is for reviewers'],
  ])('%s', (_title, params, problem) => {
    expect(read(params)).toEqual({ problem: expect.stringContaining(problem) });
  });

  it('is forwarded with only the members of JSON-RPC', () => {
    const message = JSON.parse(
      '{"jsonrpc":"2.0","id":1,"method":"x","method":"ping","Method":"tools/call"}',
    ) as JsonObject;
    expect(plainMessage(message)).toEqual({ jsonrpc: '2.0', id: 1, method: 'ping' });
  });
});

describe('message to a caller', () => {
  const context = { tool: 'append', isModern: false, proposal: 'p' };

  it('makes invisible characters visible, so that nothing in a reason can pass for something else', () => {
    const rejections = [{ by: 'eve', reason: 'no\u202E', message: 'a\u200Bb' }];
    expect(answerFor({ type: 'rejected', rejections }, context)).toMatchObject({
      result: {
        content: [{ text: expect.stringContaining('eve rejected this call: “no\\u{202e}: a\\u{200b}b”') }],
      },
    });
  });

  it('names the type of every result if the revision requires it', () => {
    expect(answerFor({ type: 'expired' }, { ...context, isModern: true })).toMatchObject({
      result: { resultType: 'complete', isError: true },
    });
    expect(answerFor({ type: 'expired' }, context)).not.toHaveProperty('result.resultType');
  });

  it("keeps a server's own error an error, and its own result unchanged", () => {
    expect(answerFor({ type: 'failed', error: { code: 1, message: 'no' } }, context)).toEqual({
      error: { code: 1, message: 'no' },
    });
    const result = { content: [], structuredContent: { a: 1 } };
    expect(answerFor({ type: 'ran', result, by: 'x', edit: [] }, context)).toEqual({ result });
  });

  it('shortens a long change', () => {
    const edit = [{ path: '/text', before: 'a', after: 'b'.repeat(10_000) }];
    const answer = answerFor({ type: 'ran', result: { content: [] }, by: 'x', edit }, context);
    expect(JSON.stringify(answer).length).toBeLessThan(3_000);
    expect(JSON.stringify(answer)).toContain('(10002 characters)');
  });

  it('tells waiting callers who decides, and the time left', () => {
    expect(waitingText({ present: [], isRunning: false }, 0)).toContain(
      'nobody who could approve it is connected',
    );
    expect(waitingText({ present: ['a', 'b'], isRunning: false, expiresAt: 90_000 }, 0)).toBe(
      'It is waiting for approval by a or b. 90 s left.',
    );
    expect(waitingText({ present: ['a'], isRunning: true }, 0)).toBe('It was approved and is running.');
    const text = JSON.stringify(stillWaitingResult({ ...context, promisesStructure: false }, 'It waits.'));
    expect(text).toContain('proffer_wait');
    expect(text).not.toContain('isError');
  });
});

describe('additions by a guard', () => {
  it('put its own tools on the last page, in place of what the server has under their names', () => {
    expect(withWaitTool({ tools: [], nextCursor: 'more' })).toEqual({ tools: [], nextCursor: 'more' });
    const own = [{ name: 'proffer_wait' }, { name: 'proffer_accept' }];
    expect(withWaitTool({ tools: [] })).toMatchObject({ tools: own });
    const taken = own.map(({ name }) => ({ name, isTheirs: true }));
    expect(withWaitTool({ tools: [...taken, { name: 'write' }] })).toMatchObject({
      tools: [{ name: 'write' }, ...own],
    });
    const alike = [
      'Proffer_Wait',
      'proffer_wait ',
      'proffer\u200b_wait',
      '\uff50roffer_accept',
      'proffer_trust',
    ];
    const first = { tools: [...alike, 'write'].map((name) => ({ name })), nextCursor: 'more' };
    expect(withWaitTool(first)).toEqual({ tools: [{ name: 'write' }], nextCursor: 'more' });
  });

  it("declare tasks next to the server's own capabilities", () => {
    expect(withTasks({ capabilities: { tools: {}, extensions: { other: {} } } })).toEqual({
      capabilities: { tools: {}, extensions: { other: {}, 'io.modelcontextprotocol/tasks': {} } },
    });
  });
});

describe('pins', () => {
  const tool = {
    name: 'a',
    description: 'A.',
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true },
  };

  it('find every change that matters, and no other', () => {
    expect(pinDigest({ ...tool, icons: [] })).toBe(pinDigest(tool));
    for (const change of [
      { description: 'B.' },
      { inputSchema: { type: 'object', required: ['x'] } },
      { annotations: { readOnlyHint: false } },
      { outputSchema: { type: 'object' } },
      { title: 'T' },
    ]) {
      expect(pinDigest({ ...tool, ...change })).not.toBe(pinDigest(tool));
    }
  });
});

describe('server name', () => {
  it.each([
    ['npx -y @modelcontextprotocol/server-filesystem /home', 'filesystem'],
    ['npx -y @scope/thing@1.2.3', 'thing'],
    ['uvx mcp-server-git', 'git'],
    ['node /srv/weather-mcp/dist/index.js', 'weather'],
    ['/usr/bin/python3 tools.py', 'tools'],
    ['node', 'server'],
    ['env API_KEY=x npx -y @scope/server-files', 'files'],
    ['docker run -i --rm -e GITHUB_TOKEN ghcr.io/github/github-mcp-server', 'github'],
    ['docker run --env KEY=1 mcp/postgres', 'postgres'],
    ['docker run -i -v /home/me/notes:/notes --network none mcp/sqlite', 'sqlite'],
    ['npx -y --package=@scope/server-mail start-it', 'mail'],
    ['npx -p @scope/server-mail start-it', 'mail'],
    ['uvx --from git+https://github.com/someone/mcp-server-time.git run-it', 'time'],
    ['python -m mcp_server_fetch', 'fetch'],
    ['npx tsx tools.ts', 'tools'],
    ['node --import tsx tools.ts', 'tools'],
    ['npx -y @scope/thing -p 80', 'thing'],
    ['cmd /c npx -y @scope/thing', 'thing'],
  ])('of %s is %s', (command, name) => {
    expect(serverNameFrom(command.split(' '))).toBe(name);
  });

  it('of a generically named script comes from its package, else its folder', () => {
    const packageOf = (file: string) =>
      file === '/src/b/dist/index.js' ? { name: '@me/weather-mcp', version: '1.2.3' } : undefined;
    const name = (folder: string, ...command: string[]) => serverNameFrom(command, { folder, packageOf });
    expect(name('/src/b', 'node', 'dist/index.js')).toBe('weather');
    expect(name('/src/b', 'node', './dist/index.js')).toBe('weather');
    expect(name('/src/tides', 'node', 'dist/index.js')).toBe('tides');
    expect(name('/src/tides', 'python3', 'server.py')).toBe('tides');
    expect(name('/src/b', 'node', 'dist/charts.js')).toBe('charts');
  });

  it.each([
    [
      'npx -y @modelcontextprotocol/server-filesystem /home',
      { program: 'npx @modelcontextprotocol/server-filesystem' },
    ],
    ['npx -y @scope/thing@1.2.3 -p 80', { program: 'npx @scope/thing', version: '1.2.3' }],
    ['cmd /c npx -y thing@latest', { program: 'npx thing', version: 'latest' }],
    ['uvx mcp-server-git==2.0', { program: 'uvx mcp-server-git', version: '2.0' }],
    [
      'docker run -i --rm ghcr.io/github/server:1.0',
      { program: 'docker ghcr.io/github/server', version: '1.0' },
    ],
    ['node dist/index.js', { program: '/src/b/dist/index.js', package: '@me/weather-mcp', version: '1.2.3' }],
    ['python3 ./server.py', { program: '/src/b/server.py' }],
    ['my-server --flag', { program: 'my-server' }],
  ])('comes from where the command says: %s', (command, source) => {
    const packageOf = (file: string) =>
      file === '/src/b/dist/index.js' ? { name: '@me/weather-mcp', version: '1.2.3' } : undefined;
    expect(sourceOfCommand(command.split(' '), { folder: '/src/b', packageOf })).toEqual(source);
  });

  it('of an address is its host', () => {
    expect(serverNameFromUrl(new URL('https://mcp.example.com/mcp'))).toBe('mcp-example-com');
  });
});
