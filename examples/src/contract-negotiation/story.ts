import {
  canonicalJson,
  encodeSession,
  explainEligibility,
  type JsonObject,
  replay,
  sessionDecider,
} from '@proffer/core';
import { expectThat, line, type Story } from '../story.js';
import { newSession } from './session.js';

const VERSIONS = { mode_version: '1.0.0', configuration_version: 'cfg-1', policy_version: '' };

/** Seller offers, buyer counters, both accept, the coordinator commits. */
export const contractNegotiation: Story = {
  title: 'A negotiation',
  about: 'Seller and buyer bargain until both accept the same offer; the coordinator commits it.',
  tell(print) {
    const session = newSession();

    function send(sender: string, type: string, payload: JsonObject, detail = ''): string | undefined {
      const refused = session.send(sender, type, payload);
      print(line(sender, type, refused === undefined ? detail : `✗ ${refused.code}: ${refused.message}`));
      return refused?.code;
    }

    send(
      'coordinator',
      'SessionStart',
      {
        ...VERSIONS,
        intent: 'negotiate service contract terms',
        participants: ['coordinator', 'buyer', 'seller'],
        ttl_ms: 120_000,
      },
      'coordinator, buyer and seller; two minutes',
    );
    send(
      'seller',
      'Proposal',
      { proposal_id: 'p1', title: 'Standard Package', summary: '$100k/year, basic SLA' },
      'p1: Standard Package, $100k/year',
    );
    const stranger = send('stranger', 'Accept', { proposal_id: 'p1' });
    expectThat(stranger === 'FORBIDDEN', 'only participants take part');
    send(
      'buyer',
      'CounterProposal',
      {
        proposal_id: 'p2',
        supersedes_proposal_id: 'p1',
        title: 'Enhanced Package',
        summary: '$80k/year, premium SLA, 24/7 support',
      },
      'p2 instead of p1: Enhanced Package, $80k/year',
    );
    send('seller', 'Accept', { proposal_id: 'p2', reason: 'terms acceptable' }, 'p2: terms acceptable');

    const commitment = {
      ...VERSIONS,
      commitment_id: 'c1',
      action: 'contract.agreed',
      authority_scope: 'procurement',
      reason: 'Both parties accepted p2',
      outcome_positive: true,
    };
    const early = send('coordinator', 'Commitment', commitment);
    expectThat(early === 'INVALID_ENVELOPE', 'nothing is committed before everybody agrees');
    send('buyer', 'Accept', { proposal_id: 'p2', reason: 'agreed' }, 'p2: agreed');
    expectThat(session.projection.acceptedProposal() === 'p2', 'all acceptances agree on p2');
    const { state } = session;
    expectThat(
      state !== undefined && explainEligibility(state, 0).outcomes.length > 0,
      'p2 can be committed',
    );
    send('coordinator', 'Commitment', commitment, 'contract.agreed');
    const late = send('buyer', 'Withdraw', { proposal_id: 'p2' });
    expectThat(late === 'SESSION_NOT_OPEN', 'what is committed stays committed');

    const replayed = replay(sessionDecider, session.records);
    const same = canonicalJson(encodeSession(replayed)) === canonicalJson(encodeSession(session.state));
    expectThat(same, 'replay gives the same state');
    expectThat(session.projection.isCommitted, 'the projection knows the outcome');

    print('');
    print(
      `  The session is ${session.state?.status}; the outcome is ${session.projection.commitment?.action}.`,
    );
    print(`  Replaying its ${session.records.length} records gives the same state, byte for byte.`);
  },
};
