import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, objectOf } from '@proffer/core/json';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createArgumentCheck } from '../../../schema/index.js';
import { macpEnvelope, startPayload } from '../../../testing/macp.js';
import { ask } from '../../../testing/peers/http.js';
import { answerNext, CALL, serveEcho } from '../../../testing/peers/script.js';
import { startTestGateway } from '../../../testing/test-gateway.js';
import { OPENAPI } from './openapi.js';

const check = createArgumentCheck();
const paths = OPENAPI['paths'] as Readonly<Record<string, JsonObject>>;
const described = Object.entries(paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
);
const asked = new Set<string>();

/** The schema with every property of an object described: what it does not name is a fault. */
function closed(schema: JsonValue): JsonValue {
  if (isJsonArray(schema)) return schema.map(closed);
  if (!isJsonObject(schema)) return schema;
  const inside = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, closed(value ?? null)]),
  );
  return isJsonObject(schema['properties']) && schema['type'] === 'object'
    ? { additionalProperties: false, ...inside }
    : inside;
}

let gateway: Awaited<ReturnType<typeof startTestGateway>>;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway[Symbol.asyncDispose]());

interface Request {
  readonly who?: string;
  readonly body?: JsonObject;
  readonly query?: string;
  readonly isRefused?: boolean;
}

/** Asks, and compares the answer with its description. The values for `{…}` are in order. */
async function answerTo(
  route: string,
  values: readonly string[],
  { who = 'reviewer', body, query = '', isRefused = false }: Request = {},
): Promise<JsonObject> {
  asked.add(route);
  const [method = '', path = ''] = route.split(' ');
  const rest = [...values];
  const url = `${gateway.http}${path.replace(/\{\w+\}/g, () => rest.shift() ?? '')}${query}`;
  const answer = await ask(url, who, {
    method,
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const responses = objectOf(objectOf(objectOf(paths[path])[method.toLowerCase()])['responses']);
  const response = objectOf(responses[String(answer.status)] ?? responses['default']);
  const type = answer.headers.get('content-type') ?? '';
  const { schema } = objectOf(objectOf(response['content'])[type]);
  expect([route, answer.body, answer.status >= 400, isJsonObject(schema)]).toEqual([
    route,
    answer.body,
    isRefused,
    true,
  ]);
  const whole = closed({ ...objectOf(schema), components: OPENAPI['components'] ?? {} });
  expect([route, check(objectOf(whole), answer.body)]).toEqual([route, { faults: [] }]);
  return answer.body;
}

it('O-5: every answer is as its route is described, and every route is asked', async () => {
  await using tools = await serveEcho(gateway.ws);
  const space = ['main'];
  const proposals = 'POST /spaces/{space}/proposals';
  const propose = async (): Promise<[string, string]> => {
    const { id } = await answerTo(proposals, space, { who: 'agent', body: { ...CALL, reason: 'To greet.' } });
    return ['main', id as string];
  };
  const act = async (action: string, body: JsonObject = {}, { who = 'reviewer', isRefused = false } = {}) => {
    const about = await propose();
    await answerTo(`${proposals}/{id}/${action}`, about, { who, body, isRefused });
    return about;
  };
  const later = Date.now() + 60_000;
  await act('reject', { reason: 'disagree' });
  await act('withdraw', {}, { who: 'agent' });
  await act('renew', { ttl: 60_000 }, { who: 'agent' });
  await act('status', { status: 'considering' });
  await act('take-back', {}, { isRefused: true });
  await act('delegate', { to: 'agent', until: later }, { isRefused: true });
  const pending = await propose();
  const { proposal } = await answerTo('GET /spaces/{space}/proposals/{id}', pending);
  const approval = { digest: objectOf(proposal)['digest'] ?? '' };
  await answerTo(`${proposals}/{id}/approve`, pending, { body: approval });
  await answerNext(tools);
  await answerTo('GET /spaces/{space}/proposals/{id}', pending, { query: '?wait=30s' });
  const countered = await act('counter', { arguments: { text: 'hi' }, reason: 'Shorter.' });
  const { proposal: offered } = await answerTo('GET /spaces/{space}/proposals/{id}', countered);
  const [{ id: counter = '', digest = '' } = {}] = objectOf(offered)['counters'] as readonly JsonObject[];
  await answerTo(`${proposals}/{id}/accept`, countered, { who: 'agent', body: { counter, digest } });
  await answerTo('GET /spaces/{space}/proposals/{id}/evidence', countered);
  await answerTo('GET /spaces/{space}/proposals/{id}/evidence', ['main', 'unknown'], { isRefused: true });
  await answerTo('GET /spaces/{space}/evidence', space, { query: '?since=0' });
  await answerTo('GET /spaces/{space}/evidence', space, { isRefused: true });
  await answerTo('GET /spaces/{space}/proposals', space);
  await answerTo('GET /spaces/{space}/proposals', space, { query: '?state=pending&limit=1' });
  await answerTo('GET /spaces/{space}/proposals', space, { query: '?limit=0', isRefused: true });

  const granting = {
    body: { to: 'agent', capabilities: [{ kind: 'chat' }], for: '1m', reason: 'For now.' },
  };
  const { id: grant } = await answerTo('POST /spaces/{space}/grants', space, granting);
  await answerTo('GET /spaces/{space}/grants', space);
  await answerTo('POST /spaces/{space}/grants/{id}/revoke', ['main', grant as string], { body: {} });
  await answerTo('POST /spaces/{space}/delegation', space, {
    body: { to: 'agent', until: later },
  });
  await answerTo('GET /spaces/{space}/delegations', space);
  await answerTo('POST /spaces/{space}/keys/codes', space, { body: { participant: 'agent' } });
  await answerTo('GET /spaces/{space}/keys', space);
  const ed25519 = { key: 'x', signature: 'x' };
  await answerTo('POST /spaces/{space}/keys', space, {
    body: { at: Date.now(), ed25519 },
    isRefused: true,
  });
  await answerTo('POST /spaces/{space}/keys/{id}/revoke', ['main', 'x'], { body: {}, isRefused: true });
  await answerTo('POST /spaces/{space}/pause', space, { body: {} });
  await answerTo('POST /spaces/{space}/resume', space, { body: {} });
  const chat = { id: 'c1', kind: 'chat', payload: { text: 'Hello.' } };
  await answerTo('POST /spaces/{space}/messages', space, { who: 'agent', body: chat });
  await answerTo('POST /participants/{id}/messages', ['agent'], {
    who: 'agent',
    body: { ...chat, id: 'c2' },
  });
  for (const query of ['', '?records=true']) await answerTo('GET /spaces/{space}/feed', space, { query });

  const open = ['/figures', '/whoami', '/sign-in', '/healthz', '/health', '/readyz', '/openapi.json'];
  for (const path of open) await answerTo(`GET ${path}`, []);

  // Without a signed log. Its own tests are in evidence.test.ts.
  for (const route of ['GET /checkpoint', 'POST /checkpoint', 'GET /checkpoint/keys', 'GET /tile/{path}'])
    await answerTo(route, ['0'], { isRefused: true });
  for (const kind of ['inclusion', 'consistency'])
    await answerTo(`GET /proof/${kind}`, [], { isRefused: true });

  const session = '0b9f3b0e-7d2f-4c1c-9a53-000000000001';
  const start = macpEnvelope(session, 'buyer', 'SessionStart', startPayload());
  await answerTo('POST /macp/envelope', [], { who: 'buyer', body: start });
  await answerTo('POST /macp/envelope', [], { who: 'seller', body: start, isRefused: true });
  const rpc = 'POST /macp/v1/{method}';
  await answerTo(rpc, ['GetSession'], { who: 'buyer', body: { session_id: session } });
  await answerTo(rpc, ['GetSession'], { who: 'buyer', body: { session_id: 'unknown' }, isRefused: true });
  for (const query of ['', '?state=all']) await answerTo('GET /macp/sessions', [], { who: 'buyer', query });
  await answerTo('GET /macp/session/{id}', [session], { who: 'buyer' });
  await answerTo('GET /macp/session/{id}', ['unknown'], { who: 'buyer', isRefused: true });
  await answerTo('GET /macp/session/{id}/envelopes', [session], { who: 'buyer' });
  await answerTo('GET /macp/session/{id}/evidence', [session], { who: 'buyer' });
  await answerTo('GET /macp/session/{id}/evidence', [session], { who: 'stranger', isRefused: true });
  for (const action of ['suspend', 'resume', 'cancel', 'cancel'])
    await answerTo(`POST /macp/session/{id}/${action}`, [session], { who: 'buyer', body: {} });
  for (const path of ['/.well-known/macp.json', '/macp/modes', '/macp/policies'])
    await answerTo(`GET ${path}`, [], { who: 'buyer' });
  await answerTo('POST /macp/policies', [], { who: 'buyer', body: {}, isRefused: true });
  await answerTo('GET /macp/policies/{id}', ['policy.default'], { who: 'buyer' });
  await answerTo('DELETE /macp/policies/{id}', ['policy.unknown'], { who: 'buyer', isRefused: true });

  // Answered by a companion, as a stream, as text, or to a service.
  const elsewhere = /\/rules|\/macp\/(?:ws|signals)$|\/metrics$|\/hooks\//;
  expect(described.filter((route) => !asked.has(route) && !elsewhere.test(route))).toEqual([]);
});
