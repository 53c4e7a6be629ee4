import { describe, expect, it } from 'vitest';
import { configured } from '../config/testing/configured.js';
import { openTable } from '../testing/macp.js';
import { ask } from '../testing/peers/http.js';
import { startTestGateway } from '../testing/test-gateway.js';

const RFC = 'dev: true\nnegotiation: { default_policy: rfc-0008 }';

describe('default policy', () => {
  it("N-13: is the guide's unless configured otherwise", () => {
    const policyOf = (yaml: string, env = {}) => configured(yaml, { env }).negotiation.defaultPolicy;
    expect(policyOf('dev: true')).toBe('guide');
    expect(policyOf(RFC)).toBe('rfc-0008');
    expect(policyOf('dev: true', { PROFFER_NEGOTIATION_DEFAULT_POLICY: 'rfc-0008' })).toBe('rfc-0008');
  });

  it("N-13: is the RFC's with only MACP runtime variables", () => {
    const MACP_AUTH_TOKENS_JSON = '[{"token": "t", "sender": "ann"}]';
    const policyOf = (yaml: string, env: object) =>
      configured(yaml, { env: { MACP_AUTH_TOKENS_JSON, ...env } }).negotiation.defaultPolicy;
    expect(policyOf('', {})).toBe('rfc-0008');
    expect(policyOf('', { PROFFER_NEGOTIATION_DEFAULT_POLICY: 'guide' })).toBe('guide');
    expect(policyOf('', { PROFFER_DEV: 'true' })).toBe('guide');
    expect(policyOf('spaces: { main: }', {})).toBe('guide');
  });

  it.each(['', 'policy.default'])(
    "N-13: a session that names %j gets the RFC's if that is the default",
    async (named) => {
      await using server = await startTestGateway(RFC);
      const table = openTable(server.http);
      await table.start('buyer', { policy_version: named });
      const { body } = await table.show('buyer');
      expect(body).toMatchObject({
        metadata: { policy_version: 'policy.rfc-0008', rules: { withdrawal: { authority: 'author' } } },
      });
      await table.propose('seller', 'p1');
      const counter = { proposal_id: 'p2', supersedes_proposal_id: 'p1' };
      await table.send('buyer', 'CounterProposal', counter);
      // Countered and still live, so both may accept it; and each has to.
      expect(await table.accept('buyer', 'p1')).toMatchObject({ ok: true });
      expect(await table.commit('buyer', { policy_version: named })).toMatchObject({ ok: false });
      expect(await table.accept('seller', 'p1')).toMatchObject({ ok: true });
      expect(await table.commit('buyer', { policy_version: named })).toMatchObject({ ok: true });
    },
  );

  it("N-13: is in the manifest, and the guide's rules can still be named", async () => {
    await using server = await startTestGateway(RFC);
    const { body } = await ask(`${server.http}/.well-known/macp.json`, undefined);
    expect(body).toMatchObject({ metadata: { default_policy: 'rfc-0008' } });
    const table = openTable(server.http);
    await table.start('buyer', { policy_version: 'policy.guide' });
    await table.propose('seller', 'p1');
    await table.accept('seller', 'p1');
    expect(await table.commit('buyer', { policy_version: 'policy.guide' })).toMatchObject({ ok: true });
  });
});
