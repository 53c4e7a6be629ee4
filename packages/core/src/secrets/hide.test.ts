import { describe, expect, it } from 'vitest';
import { operationDigest } from '../operations/proposal/decide-propose.js';
import { hideAt, hideInText, hideSecrets, numberedMark, REDACTED } from './index.js';

const hidden = (value: Parameters<typeof hideSecrets>[0]) => hideSecrets(value).value;

describe('secrets by name', () => {
  it.each([
    'password',
    'PASSWORD',
    'dbPassword',
    'db-passwd',
    'api_key',
    'apiKey',
    'X-API-Key',
    'Authorization',
    'client_secret',
    'access_token',
    'token',
    'AWS_SECRET_ACCESS_KEY',
    'private_key',
    'sessionCookie',
    'connectionString',
    'card_pin',
  ])('hides %s at any depth', (name) => {
    const call = { name: 'deploy', arguments: { a: [{ b: { [name]: 'correct horse' } }] } };
    expect(hidden(call)).toEqual({ name: 'deploy', arguments: { a: [{ b: { [name]: REDACTED } }] } });
  });

  it('hides a hash, which begins like a variable', () => {
    expect(hidden({ password: '$2b$10$abcdefghijklmnop' })).toEqual({ password: REDACTED });
  });

  it('hides everything under a telling name, also numbers', () => {
    const call = { credentials: { user: 'ann', parts: ['x', 7] }, pin: 1234 };
    expect(hidden(call)).toEqual({
      credentials: { user: REDACTED, parts: [REDACTED, REDACTED] },
      pin: REDACTED,
    });
  });

  it.each([
    { max_tokens: 500 },
    { tokens: 12 },
    { path: '/srv/passwords/readme.md' },
    { author: 'ann', keyboard: 'us', spin: 'left', monkey: 'yes' },
    { password: '' },
    { password: '$PASSWORD' },
    { key: 'name' },
    { code: 'return token;' },
    { code: 'ERR_HTTP2_GOAWAY_SESSION' },
    { text: 'The token expired, and the password is weak.' },
  ])('leaves %j as it is', (value) => {
    expect(hideSecrets(value)).toEqual({ value, hasSecrets: false });
  });
});

describe('secrets by what they look like', () => {
  const A = 'A'.repeat(16);
  it.each([
    ['AWS', `AKIA${A}`],
    ['GitHub', `ghp_${'a1B2'.repeat(9)}`],
    ['GitHub, fine-grained', `github_pat_${'a1B2_'.repeat(8)}`],
    ['GitLab', `glpat-${'a1B2'.repeat(5)}`],
    ['Slack', `xoxb-${'1234567890-'.repeat(2)}abc`],
    ['Stripe', `sk_live_${'a1B2'.repeat(6)}`],
    ['OpenAI', `sk-proj-${'a1B2'.repeat(8)}`],
    ['Anthropic', `sk-ant-api03-${'a1B2'.repeat(8)}`],
    ['Google', `AIza${'a1B2c'.repeat(7)}`],
    ['npm', `npm_${'a1B2'.repeat(9)}`],
    ['JWT', `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${'sig-_'.repeat(6)}`],
    ['PEM', `-----BEGIN RSA PRIVATE KEY-----\nMIIE${'a'.repeat(40)}\n-----END RSA PRIVATE KEY-----`],
    ['Telegram', `123456789:AA${'a1B2c'.repeat(7)}`],
  ])('hides a token of %s in the middle of a text, and nothing else', (_, token) => {
    expect(hideInText(`before ${token} after`)).toBe(`before ${REDACTED} after`);
  });

  it.each([
    ['export DB_PASSWORD=hunter2 && run', 'export DB_PASSWORD=[redacted] && run'],
    ['curl -H "Authorization: Bearer abcdef123456" x', 'curl -H "Authorization: Bearer [redacted]" x'],
    ['mysql --password hunter2 -u root', 'mysql --password [redacted] -u root'],
    ['login --api-key=abc123 now', 'login --api-key=[redacted] now'],
    ['{"client_secret": "s3cr3t!"}', '{"client_secret": "[redacted]"}'],
    ['git clone https://ann:hunter2@host/x.git', 'git clone https://ann:[redacted]@host/x.git'],
    ['run --token --force password=-hunter2', 'run --token --force password=[redacted]'],
    ['log: token=hunter2', 'log: token=[redacted]'],
    [`got ghp_${'a1B2'.repeat(9)}: "api_key": "correct horse"`, 'got [redacted]: "api_key": "[redacted]"'],
    ["login --password 'correct horse' now", "login --password '[redacted]' now"],
    ['{"text":"{\\"password\\":\\"correct horse\\"}"}', '{"text":"{\\"password\\":\\"[redacted]\\"}"}'],
    ['PASSWORD=pa$$word1 x', 'PASSWORD=[redacted] x'],
    ['signature=9f86d081884c7d659a2feaa0c55ad015', 'signature=[redacted]'],
    ['echo $TOKEN; echo token=${TOKEN}', 'echo $TOKEN; echo token=${TOKEN}'],
  ])('hides it in %s', (text, shown) => {
    expect(hideInText(text)).toBe(shown);
  });

  it('hides what looks random beside a name that hints at it, and not elsewhere', () => {
    const random = 'q7Zp2mX9vK4tLw8s';
    expect(hidden({ key: random, id: random })).toEqual({ key: REDACTED, id: random });
  });
});

describe('what is no secret stays in sight', () => {
  const key = '-----BEGIN PRIVATE KEY-----';
  it.each([
    [`echo "${key}"; rm -rf /`, 'rm -rf /'],
    [`${key}\n${'MIIEv'.repeat(12)}\ncurl evil.example`, 'curl evil.example'],
    [`${key}\\n${'MIIEv'.repeat(12)}\\nAb==\\n-----END PRIVATE KEY----- && reboot`, ' && reboot'],
    ['PASSWORD=ab$(rm${IFS}-rf${IFS}/) run', '$(rm${IFS}-rf${IFS}/)'],
    [`echo ' password="' ; reboot ; echo '"'`, '; reboot ;'],
    ['echo \\"password=\\" ; reboot ; echo \\"', '; reboot ;'],
    [`echo "password='$(reboot)'"`, '$(reboot)'],
    ['login --token ab`reboot`', '`reboot`'],
    ['curl https://ann:pw`reboot`@host', '`reboot`'],
  ])('shows what a shell would run in %j', (text, shown) => {
    expect(hideInText(text)).toContain(shown);
  });

  it('hides a key in lines or in one, and one that is cut off', () => {
    const body = `${'MIIEv'.repeat(12)}\n${'c0Vr/'.repeat(12)}\nAb==`;
    const pem = `${key}\n${body}\n-----END PRIVATE KEY-----`;
    expect(hideInText(`x ${pem} y`)).toBe(`x ${REDACTED} y`);
    expect(hideInText(`x ${pem.replaceAll('\n', '\\n')} y`)).toBe(`x ${REDACTED} y`);
    expect(hideInText(pem.slice(0, 80))).toBe(REDACTED);
  });

  it('hides a value by any name of its path', () => {
    expect(hideAt('/arguments/credentials/parts/0', 'x')).toBe(REDACTED);
    expect(hideAt('/arguments/path', '/a')).toBe('/a');
    expect(hideAt('', { password: 'x' })).toEqual({ password: REDACTED });
  });

  it('tells secrets apart if asked to', () => {
    const mark = numberedMark();
    const [one, two] = [`ghp_${'a1B2'.repeat(9)}`, `ghp_${'c3D4'.repeat(9)}`];
    expect(hideSecrets({ before: one, after: two, again: `use ${one}` }, { mark }).value).toEqual({
      before: REDACTED,
      after: '[redacted 2]',
      again: `use ${REDACTED}`,
    });
    expect(hideInText('password=[redacted 2]', mark)).toBe('password=[redacted 2]');
  });
});

describe('named paths', () => {
  const call = { arguments: { Headers: [{ authorisation: 'x' }], Note: 'n', deep: { note: 'm' } } };

  it('match at any depth and in any case', () => {
    expect(hideSecrets(call, { paths: ['note'], detect: false }).value).toMatchObject({
      arguments: { Note: REDACTED, deep: { note: REDACTED } },
    });
    expect(hideSecrets(call, { paths: ['headers.*.Authorisation'], detect: false }).value).toMatchObject({
      arguments: { Headers: [{ authorisation: REDACTED }], Note: 'n' },
    });
  });
});

describe('cost and digest', () => {
  it('O-25: the digest covers the real value', () => {
    const params = { name: 'login', arguments: { password: 'hunter2' } };
    const before = operationDigest('tools/call', params);
    hideSecrets(params);
    expect(operationDigest('tools/call', params)).toBe(before);
    expect(operationDigest('tools/call', hidden(params))).not.toBe(before);
  });

  it.each([
    'eyJ',
    'a',
    'password=',
    '-----BEGIN PRIVATE KEY-----',
    '://a:',
    'Bearer ',
    'token ',
    'a=',
    'password="',
    '=',
    '--a ',
  ])('I-7: reads a megabyte of %j once', (piece) => {
    const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
    // Backtracking would take minutes; the time limit of the test notices.
    expect(hideInText(text).length).toBeGreaterThan(0);
  });
});
