import { readdirSync, readFileSync } from 'node:fs';
import { refusalRow } from '@proffer/core';
import { createReport, parseYamlTree, treeToJson } from '@proffer/reading';
import { describe, expect, it } from 'vitest';
import { parseConfig } from './config/index.js';
import { createMetrics } from './metrics/index.js';
import { OPENAPI } from './transports/http/openapi/openapi.js';

const deploy = new URL('../../../deploy/', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, deploy), 'utf8');

describe('deployment files', () => {
  it('watch existing metrics and codes', async () => {
    const known = await createMetrics().text();
    const files = readdirSync(new URL('monitoring/', deploy)).map((name) => read(`monitoring/${name}`));
    const watched = new Set(files.join('\n').match(/\b(?:proffer|process)_[a-z_]+\b/g));
    expect(watched.size).toBeGreaterThan(8);
    for (const name of watched) expect(known).toContain(`# TYPE ${name.replace(/_bucket$/, '')} `);
    const codes = [...files.join('\n').matchAll(/\bcode=~?"([\w|]+)"/g)].flatMap(([, said = '']) =>
      said.split('|'),
    );
    expect(codes.length).toBeGreaterThan(5);
    expect(codes.filter((code) => refusalRow(code) === undefined)).toEqual([]);
    expect(JSON.parse(read('monitoring/dashboard.json'))).toMatchObject({ title: 'Proffer' });
  });

  it('are YAML that says where everything is', () => {
    const [, services = ''] = read('compose.yaml').split('\nservices:\n');
    const names = [...services.matchAll(/^ {2}(\w+):/gm)].map(([, name = '']) => name);
    expect(names).toEqual(['n1', 'n2', 'n3', 'g1', 'g2', 'g3', 'proxy']);
    for (const gateway of ['g1', 'g2', 'g3'])
      for (const port of [7420, 50051])
        expect(read('haproxy.cfg')).toContain(`server ${gateway} ${gateway}:${port}\n`);
    const { report, problems } = createReport();
    const tree = parseYamlTree(read('monitoring/alerts.yaml'), 'alerts.yaml', report, {
      what: 'the alerts',
      aliases: 'refused',
      values: 'json',
    });
    expect(problems).toEqual([]);
    if (tree === undefined) throw new Error('There are no alerts.');
    const { groups } = treeToJson(tree) as {
      readonly groups: readonly { readonly rules: readonly object[] }[];
    };
    for (const rule of groups.flatMap(({ rules }) => rules))
      expect(rule).toMatchObject({
        alert: expect.any(String),
        expr: expect.any(String),
        annotations: { summary: expect.any(String), action: expect.any(String) },
      });
  });

  it('repeat an unanswered request only where it cannot count twice', () => {
    const [, condition] = /^ {2}http-request disable-l7-retry unless (.+)$/m.exec(read('haproxy.cfg')) ?? [];
    expect(condition).toBe(
      'METH_GET or { req.hdr(idempotency-key) -m found } { path_beg /spaces/ } !{ path_end /messages }',
    );
    // An error of the proxy must not look like a gateway's refusal, after which a message has not arrived.
    expect(read('haproxy.cfg')).not.toMatch(/^\s*(?:http-error|errorfile)/m);
    const paths = Object.entries(OPENAPI['paths'] as Readonly<Record<string, { readonly post?: object }>>);
    const posts = paths.flatMap(([path, { post }]) => (post === undefined ? [] : [{ path, post }]));
    const repeated = posts.filter(({ path }) => path.startsWith('/spaces/') && !path.endsWith('/messages'));
    expect(repeated).not.toEqual([]);
    // Trying rules out changes nothing.
    for (const { post } of repeated.filter(({ path }) => !path.endsWith('/rules/try')))
      expect(post).toMatchObject({
        parameters: expect.arrayContaining([expect.objectContaining({ name: 'Idempotency-Key' })]),
      });
  });

  it('start programs with options they have', () => {
    const unit = read('systemd/proffer.service');
    expect(unit).toMatch(/^ExecStartPre=.* proffer doctor --config \S+$/m);
    expect(unit).toMatch(/^ExecStart=.* proffer up --config \S+$/m);
    // Its user's home cannot be read, and Node could not compile.
    expect(unit).toContain('\nEnvironment=HOME=/var/lib/proffer\n');
    expect(unit).not.toMatch(/^MemoryDenyWriteExecute=/m);
    expect(read('systemd/nats-server.service')).toContain('\nEnvironmentFile=-/etc/nats/environment\n');
    expect(read('Dockerfile')).toContain('CMD ["up", "--config", "/etc/proffer/proffer.yaml"]');
  });

  it('have a configuration in which only the tokens are missing', () => {
    const variables = [...read('compose.yaml').matchAll(/^ {4}(PROFFER_\w+): "\$\{\w+:\?/gm)];
    const env = Object.fromEntries(variables.map(([, name = '']) => [name, `k:${'x'.repeat(43)}`]));
    expect(Object.keys(env)).toEqual(['PROFFER_JOURNAL_NATS_PASSWORD', 'PROFFER_JOURNAL_NATS_KEYS']);
    const { problems } = parseConfig(read('proffer.yaml'), { file: 'proffer.yaml', env });
    expect(problems?.map(({ message }) => message)).toEqual([
      expect.stringContaining('Nobody would be able to connect'),
    ]);
    const text = read('proffer.yaml').replace('tokens: []', `tokens: [sha256:${'0'.repeat(64)}]`);
    expect(parseConfig(text, { file: 'proffer.yaml', env })).toMatchObject({
      config: {
        journal: { backend: 'nats', replicas: 3, login: { user: 'gateway' }, keys: {} },
        listen: { http: { port: 7420 }, grpc: { port: 50051 } },
      },
    });
  });
});
