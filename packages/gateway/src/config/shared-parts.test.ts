import { expect, it } from 'vitest';
import { differingKeys, sharedParts } from './shared-parts.js';
import { configured } from './testing/configured.js';

const TOKENS = ['a', 'b', 'c'].map((digit) => `sha256:${digit.repeat(64)}`);
const ANN = `ann: { tokens: ["${TOKENS[0]}", "${TOKENS[1]}"], roles: [x, y], spaces: { main: ["mcp.*", chat] } }`;
const BOB = `bob: { tokens: ["${TOKENS[2]}"] }`;
const SLACK = 'slack: { type: slack, secret: one }';
const EMAIL = 'email: { type: email }';
const ROUTES = '[{ channel: slack, to: one, token: one }, { channel: email }]';

const BASE = `
participants: { ${ANN}, ${BOB} }
jwt: { issuer: "https://x.example", audience: [a, b], jwks_url: "https://x.example/k", clock_skew: 10s }
notify:
  url: https://p.example
  redact: [headers.authorization, password]
  push: { services: ["https://a.example", "https://b.example"], keys: /one }
  channels: { ${SLACK}, ${EMAIL} }
  participants: { ann: ${ROUTES} }
`;

/** The keys that differ when a part of the file is written in another way. */
function changed(from: string, to: string): readonly string[] {
  const text = BASE.replace(from, to);
  expect(text).not.toBe(BASE);
  return differingKeys(sharedParts(configured(BASE)), sharedParts(configured(text)));
}

it.each([
  ['participants', `${ANN}, ${BOB}`, `${BOB}, ${ANN}`],
  ['tokens', `"${TOKENS[0]}", "${TOKENS[1]}"`, `"${TOKENS[1]}", "${TOKENS[0]}"`],
  ['capabilities', '"mcp.*", chat', 'chat, "mcp.*"'],
  ['roles', 'x, y', 'y, x'],
  ['audiences', '[a, b]', '[b, a]'],
  ['channels', `${SLACK}, ${EMAIL}`, `${EMAIL}, ${SLACK}`],
  ['routes', ROUTES, '[{ channel: email }, { channel: slack, to: one, token: one }]'],
  ['redacted paths', 'headers.authorization, password', 'password, headers.authorization'],
])('the order of %s makes no difference', (_, from, to) => {
  expect(changed(from, to)).toEqual([]);
});

it.each([
  ['participants', 'chat] }', 'chat, mew.*] }'],
  ['participants', 'a'.repeat(64), 'd'.repeat(64)],
  ['jwt', 'x.example/k', 'x.example/l'],
  ['jwt', 'clock_skew: 10s', 'clock_skew: 20s'],
  ['jwt', 'clock_skew: 10s', 'clock_skew: 10s, unlisted_subjects: { observer: true }'],
  ['notify', 'password', 'secret'],
  ['notify', 'https://b.example', 'https://c.example'],
  ['notify', '{ channel: email }', '{ channel: email, when: all }'],
  ['notify', 'type: email', 'type: slack'],
])('a difference in %s is noticed: %s became %s', (key, from, to) => {
  expect(changed(from, to)).toEqual([key]);
});

it.each([
  ['settings of a channel', 'secret: one', 'secret: two'],
  ['the token of a route', 'token: one', 'token: two'],
  ['where a route leads', 'to: one', 'to: two'],
  ['the file of the push keys', 'keys: /one', 'keys: /two'],
])('not compared, because it may be secret or differs per machine: %s', (_, from, to) => {
  expect(changed(from, to)).toEqual([]);
});

it('the order of a review policy counts: its first match does', () => {
  const entries = ['{ call: "mcp.request.tools/call:a", approvals: 1 }', '{ call: "mcp.*", approvals: 2 }'];
  const [one, other] = [entries, entries.toReversed()].map((review) =>
    sharedParts(configured(`dev: true\nspaces: { main: { review: [${review.join(', ')}] } }`)),
  );
  expect(differingKeys(one, other)).toEqual(['spaces.main.review']);
});
