import { randomUUID } from 'node:crypto';
import {
  listModes,
  listPolicies,
  MULTI_ROUND_MODE,
  modeRegistry,
  policyRegistry,
  servedModes,
} from '@proffer/core/negotiation';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closedConfig } from '../../../testing/strangers.js';
import { type GrpcPeer, startPeer } from '../testing/grpc-peer.js';
import { serveFor } from '../testing/served.js';
import { openTable } from '../testing/table.js';

const OWN = listModes(modeRegistry.initial).map(({ mode }) => ({ mode }));
const ROUNDS = { mode: MULTI_ROUND_MODE };

let peer: GrpcPeer;
beforeAll(async () => {
  peer = await startPeer();
});
afterAll(() => peer[Symbol.asyncDispose]());

describe('other calls', () => {
  it('N-8: a session is for participants and observers; for others there is none', async () => {
    await serveFor(
      peer,
      closedConfig({ coordinator: '', buyer: '', seller: '', mallory: '', auditor: 'is_observer: true' }),
    );
    const table = openTable(peer, randomUUID(), (name) => `token-of-${name}`);
    await table.start();
    for (const name of ['coordinator', 'buyer', 'auditor']) {
      expect(await table.metadata(name)).toMatchObject({ session_id: table.id });
      const listed = await peer.ask('ListSessions', {}, { token: `token-of-${name}` });
      expect(listed).toMatchObject({ sessions: [{ session_id: table.id }] });
    }
    expect(await table.unreadable('mallory')).toMatchObject({ code: 5, macpCode: 'SESSION_NOT_FOUND' });
    expect(await peer.ask('ListSessions', {}, { token: 'token-of-mallory' })).toMatchObject({ sessions: [] });
    const stream = peer.open('StreamSession', { token: 'token-of-mallory' });
    stream.write({ subscribe_session_id: table.id });
    expect(await stream.status).toMatchObject({ macpCode: 'SESSION_NOT_FOUND' });
    stream.cancel();
  });

  it('N-13: policies are registered once, read, used and removed', async () => {
    await serveFor(peer);
    const token = 'coordinator';
    const rules = JSON.stringify({ acceptance: { criterion: 'counterparty' } });
    const policy_descriptor = {
      policy_id: 'policy.mine',
      mode: 'macp.mode.proposal.v1',
      rules,
      schema_version: 1,
    };
    expect(await peer.ask('RegisterPolicy', { policy_descriptor }, { token })).toEqual({
      ok: true,
      error: '',
    });
    const found = await peer.ask('GetPolicy', { policy_id: 'policy.mine' }, { token });
    expect(found).toMatchObject({ policy_descriptor: { policy_id: 'policy.mine', rules } });
    const changed = { ...policy_descriptor, rules: '{}' };
    const saysNo = { ok: false, error: expect.stringMatching(/^INVALID_POLICY_DEFINITION: /) };
    const again = await peer.ask('RegisterPolicy', { policy_descriptor }, { token });
    expect(again).toMatchObject({ ok: false, error: expect.stringContaining('already registered') });
    expect(await peer.ask('RegisterPolicy', { policy_descriptor: changed }, { token })).toMatchObject(saysNo);
    expect(await peer.ask('RegisterPolicy', {}, { token })).toMatchObject(saysNo);
    const wrong = { ...policy_descriptor, policy_id: 'policy.wrong', rules: '{"surprise": 1}' };
    expect(await peer.ask('RegisterPolicy', { policy_descriptor: wrong }, { token })).toMatchObject(saysNo);
    expect(await peer.ask('UnregisterPolicy', { policy_id: 'policy.default' }, { token })).toMatchObject(
      saysNo,
    );
    expect(await peer.ask('UnregisterPolicy', { policy_id: 'policy.other' }, { token })).toMatchObject({
      ok: false,
      error: expect.stringMatching(/^UNKNOWN_POLICY_VERSION: /),
    });
    const { descriptors } = await peer.ask('ListPolicies', {}, { token });
    expect(descriptors).toMatchObject(
      [...listPolicies(policyRegistry.initial), { policy_id: 'policy.mine' }].map(({ policy_id }) => ({
        policy_id,
      })),
    );
    const table = openTable(peer);
    expect(await table.start({ policy_version: 'policy.mine' })).toMatchObject({ ok: true });
    expect(await peer.ask('UnregisterPolicy', { policy_id: 'policy.mine' }, { token })).toMatchObject({
      ok: true,
    });
    expect(await peer.refused('GetPolicy', { policy_id: 'policy.mine' }, { token })).toMatchObject({
      code: 5,
    });
    expect(await peer.refused('GetPolicy', { policy_id: 'policy.other' }, { token })).toMatchObject({
      code: 5,
      macpCode: 'UNKNOWN_POLICY_VERSION',
    });
    await table.propose('seller', 'p1');
    await table.accept('buyer', 'p1');
    const ended = await table.commit('coordinator', { policy_version: 'policy.mine' });
    expect(ended).toMatchObject({ ok: true, session_state: 'SESSION_STATE_RESOLVED' });
  });

  it('there is no manifest of an unknown agent', async () => {
    await serveFor(peer);
    expect(await peer.refused('GetManifest', { agent_id: 'nobody' })).toMatchObject({
      code: 5,
      details: expect.stringContaining('Agent "nobody" not found'),
    });
  });

  it('modes and manifest name what is served; extension modes come and go', async () => {
    const gateway = await serveFor(peer);
    const token = 'coordinator';
    expect(await peer.ask('ListModes', {}, { token })).toMatchObject({ modes: OWN });
    expect(await peer.ask('GetManifest', {})).toMatchObject({
      manifest: {
        supported_modes: servedModes().map(({ mode }) => mode),
        transport_endpoints: expect.arrayContaining([
          expect.objectContaining({ transport: 'grpc', uri: `grpc://127.0.0.1:${gateway.grpcPort}` }),
        ]),
      },
    });
    const mode_descriptor = {
      mode: 'ext.mode.v1',
      mode_version: '1',
      message_types: ['A'],
      schema_uris: { A: 'https://example.com/a' },
    };
    expect(await peer.ask('RegisterExtMode', { mode_descriptor }, { token })).toMatchObject({ ok: true });
    expect(await peer.ask('ListExtModes', {}, { token })).toMatchObject({ modes: [ROUNDS, mode_descriptor] });
    expect(
      await peer.ask('PromoteMode', { mode: 'ext.mode.v1', promoted_mode_name: 'ext.v2' }, { token }),
    ).toMatchObject({
      ok: true,
      mode: 'ext.v2',
    });
    expect(await peer.ask('ListExtModes', {}, { token })).toMatchObject({ modes: [ROUNDS] });
    expect(await peer.ask('ListModes', {}, { token })).toMatchObject({ modes: [...OWN, { mode: 'ext.v2' }] });
    expect(await peer.ask('UnregisterExtMode', { mode: 'ext.v2' }, { token })).toMatchObject({ ok: false });
    expect(await peer.ask('GetManifest', {})).toMatchObject({
      manifest: { supported_modes: [...OWN, { mode: 'ext.v2' }, ROUNDS].map(({ mode }) => mode) },
    });
    const other = { ...mode_descriptor, mode: 'ext.other.v1' };
    expect(await peer.ask('RegisterExtMode', { mode_descriptor: other }, { token })).toMatchObject({
      ok: true,
    });
    expect(await peer.ask('UnregisterExtMode', { mode: 'ext.other.v1' }, { token })).toMatchObject({
      ok: true,
    });
    expect(await peer.ask('ListExtModes', {}, { token })).toMatchObject({ modes: [ROUNDS] });
    expect(await peer.ask('ListRoots', {}, { token })).toEqual({ roots: [] });
  });

  it('discovery works with and without a token: clients use it right after Initialize', async () => {
    await serveFor(peer, closedConfig({ buyer: '' }));
    expect(await peer.ask('ListModes', {})).toMatchObject({ modes: OWN });
    expect(await peer.ask('ListExtModes', {})).toMatchObject({ modes: [ROUNDS] });
    expect(await peer.ask('ListRoots', {})).toEqual({ roots: [] });
    for (const method of ['WatchModeRegistry', 'WatchRoots']) {
      const stream = peer.open(method, {});
      stream.write({});
      stream.end();
      expect(await stream.next()).toHaveProperty('change');
      stream.cancel();
    }
  });

  it('N-3, N-27, N-29: Initialize says that receipts and what-if replays can be had, and no further rules', async () => {
    await serveFor(peer);
    expect(await peer.ask('Initialize', { supported_protocol_versions: ['1.0'] })).toMatchObject({
      capabilities: {
        policy_registry: {
          register_policy: true,
          list_policies: true,
          what_if_replay: true,
          // No rules but those of the guide: a client need not send any others.
          rule_extensions: [],
        },
        // Without a key for the log.
        decision_receipt: { get_decision_receipt: true },
      },
    });
  });

  it('N-3: Initialize agrees on a version that both speak, or refuses', async () => {
    await serveFor(peer);
    const answer = await peer.ask('Initialize', { supported_protocol_versions: ['2.0', '1.0'] });
    expect(answer).toMatchObject({
      selected_protocol_version: '1.0',
      runtime_info: { name: 'proffer' },
      supported_modes: servedModes().map(({ mode }) => mode),
      capabilities: {
        sessions: { stream: true, list_sessions: true, watch_sessions: true },
        progress: { progress: true },
        roots: { list_roots: true, list_changed: false },
      },
    });
    expect(await peer.refused('Initialize', { supported_protocol_versions: ['2.0'] })).toMatchObject({
      code: 3,
      macpCode: 'UNSUPPORTED_PROTOCOL_VERSION',
    });
  });

  it.each([
    'GetSession',
    'ListSessions',
    'CancelSession',
    'SuspendSession',
    'ResumeSession',
    'RegisterExtMode',
    'UnregisterExtMode',
    'PromoteMode',
    'RegisterPolicy',
    'UnregisterPolicy',
    'GetPolicy',
    'ListPolicies',
    'WhatIfReplay',
    'GetDecisionReceipt',
    'WatchSessions',
    'WatchSignals',
    'WatchPolicies',
  ])('I-4: %s requires authentication', async (method) => {
    await serveFor(peer, closedConfig({ buyer: '' }));
    for (const token of [undefined, 'buyer']) {
      const status = await peer.refused(method, {}, { token });
      expect(status).toMatchObject({ code: 16, macpCode: 'UNAUTHENTICATED' });
      expect(status.details).toMatch(/^UNAUTHENTICATED: .+/);
    }
  });
});
