import { expect, it } from 'vitest';
import { restartNeeded } from './restart-needed.js';
import { configured } from './testing/configured.js';

const HASH = `sha256:${'a'.repeat(64)}`;
const ANN = `participants: { ann: { tokens: [${HASH}], spaces: { main: [chat] } } }`;
const STARTED = configured(ANN);
const after = (text: string) => restartNeeded(STARTED, configured(text));

it('names nothing that a reload applies', () => {
  const ann = `ann: { tokens: ["sha256:${'b'.repeat(64)}"], spaces: { main: ["mcp.*"] }, roles: [finance] }`;
  expect(
    after(`
listen: { allowed_origins: ["https://app.example.com"] }
participants: { ${ann}, ben: { tokens: [${HASH}] } }
notify: { url: "https://proffer.example.com" }
`),
  ).toEqual([]);
});

it('does not name an unchanged policy', () => {
  const text = `${ANN}\nspaces: { main: { review: [{ call: "mcp.request.tools/call:pay_*", approvals: 2 }] } }`;
  expect(restartNeeded(configured(text), configured(text))).toEqual([]);
});

it('names changed keys that are read only at startup, as written', () => {
  expect(
    after(`
listen: { http: 127.0.0.1:7999 }
tls: { cert: cert.pem, key: key.pem }
journal: { retention: 30d }
spaces: { main: { default_ttl: 1h, review: [{ call: "mcp.request.tools/call:pay_*", approvals: 2 }] }, finance: {} }
negotiation: { default_policy: rfc-0008 }
limits: { connections_per_token: 5 }
${ANN}
`),
  ).toEqual([
    'listen.http',
    'tls',
    'journal',
    'spaces.main.default_ttl',
    'spaces.main.review',
    'spaces.finance',
    'negotiation',
    'limits',
  ]);
});
