import { parseConfig } from '@proffer/gateway/config';
import { describe, expect, it } from 'vitest';
import { CHANNEL_TYPES } from './registry.js';

const read = (notify: string) =>
  parseConfig(`dev: true\nnotify:\n${notify}`, { file: 'proffer.yaml', channelTypes: CHANNEL_TYPES });

const CHANNELS = `  channels:
    mail: { type: email, server: { env: SMTP }, from: a@example.com }
    hook: { type: webhook, url: https://example.com/hook, secrets: [whsec_abc, { file: old.txt }] }
    team: { type: slack, token: { env: SLACK }, users: { T1/U1: reviewer } }
`;

describe('notify', () => {
  it('uses links that require signing in by default', () => {
    expect(read(CHANNELS).config?.notify?.links).toBe('sign-in');
    expect(read(`${CHANNELS}  links: bearer\n`).config?.notify?.links).toBe('bearer');
    expect(read(`${CHANNELS}  links: beerer\n`).problems).toMatchObject([
      { path: 'notify.links', suggestion: 'bearer' },
    ]);
  });

  it('has channels and routes, with defaults', () => {
    const { config } = read(`${CHANNELS}  participants:
    reviewer:
      - { channel: mail, to: r@example.com, quiet: "22:00-07:00 Europe/Berlin", remind: 10m }
`);
    expect(config?.notify?.channels.get('hook')).toEqual({
      type: 'webhook',
      url: 'https://example.com/hook',
      secrets: [{ value: 'whsec_abc' }, { file: 'old.txt' }],
    });
    expect(config?.notify?.participants.get('reviewer')).toMatchObject([
      {
        channel: 'mail',
        to: 'r@example.com',
        when: 'decidable',
        digest: 60_000,
        remind: 600_000,
        updates: true,
        quiet: { from: 1320, to: 420, zone: 'Europe/Berlin' },
      },
    ]);
  });

  it.each([
    ['  channels:\n    a: { type: slak, token: x }\n', 4, 'notify.channels.a.type', 'slack'],
    [
      '  channels:\n    a: { type: webhook, url: ftp://x, secrets: [] }\n',
      4,
      'notify.channels.a.url',
      undefined,
    ],
    ['  channels:\n    a: { type: desktop, url: x }\n', 4, 'notify.channels.a.url', undefined],
    ['  channels:\n    a: { type: email, from: x }\n', 4, 'notify.channels.a.server', undefined],
    [
      `${CHANNELS}  participants:\n    reviewer: [{ channel: mial, to: x }]\n`,
      8,
      'notify.participants.reviewer[0].channel',
      'mail',
    ],
    [
      `${CHANNELS}  participants:\n    reviewer: [{ channel: mail }]\n`,
      8,
      'notify.participants.reviewer[0]',
      undefined,
    ],
    [
      `${CHANNELS}  participants:\n    reviever: [{ channel: hook }]\n`,
      8,
      'notify.participants.reviever',
      'reviewer',
    ],
    [
      `${CHANNELS}  participants:\n    reviewer: [{ channel: hook, quiet: 22-7 }]\n`,
      8,
      'notify.participants.reviewer[0].quiet',
      undefined,
    ],
    [
      `${CHANNELS}  participants:\n    reviewer: [{ channel: hook, spaces: [mian] }]\n`,
      8,
      'notify.participants.reviewer[0].spaces',
      'main',
    ],
  ])('%j is invalid in line %i', (yaml, line, path, suggestion) => {
    const { problems = [] } = read(yaml);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ path, line });
    expect(problems[0]?.suggestion).toBe(suggestion);
  });

  it('knows no channel type in a program without channels', () => {
    const yaml = `dev: true\nnotify:\n${CHANNELS}`;
    const { problems = [] } = parseConfig(yaml, { file: 'proffer.yaml' });
    expect(problems.map(({ message }) => message)).toEqual(Array(3).fill('This program has no channels.'));
  });
});
