import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../json/json.js';
import { DECISION_MODE } from '../modes/decision/name.js';
import { HANDOFF_MODE } from '../modes/handoff/name.js';
import { MULTI_ROUND_MODE } from '../modes/multi-round/name.js';
import { QUORUM_MODE } from '../modes/quorum/name.js';
import { TASK_MODE } from '../modes/task/name.js';
import { startDecision } from '../testing/decision-steps.js';
import type { Story } from '../testing/given.js';
import { given, sessionOf } from '../testing/given.js';
import { inMode } from '../testing/in-mode.js';
import { start } from '../testing/steps.js';
import { MACP_VERSION } from '../wire/macp-envelope.js';
import { sessionDecider } from './decide.js';
import type { Session, SessionState } from './session.js';

type Said = readonly [type: string, payload: JsonObject];

const P1 = { proposal_id: 'p1' };
const T1 = { task_id: 't1' };
const H1 = { handoff_id: 'h1' };

const PARTICIPANTS = Array.from({ length: 1000 }, (_, index) => `agent-${index}`);

/** Applies a message to a session without keeping the records, as a gateway does. */
function accept(session: Session, sender: string, message_type: string, payload: JsonObject): Session {
  const { records = [], refused } = sessionDecider.decide(
    session,
    {
      type: 'send',
      caller: { name: sender, mayStartSessions: false },
      envelope: {
        macp_version: MACP_VERSION,
        mode: session.mode,
        message_type,
        message_id: `${message_type} ${session.version}`,
        session_id: session.id,
        sender,
        timestamp_unix_ms: 0,
        payload,
      },
    },
    { now: session.startedAt, policies: () => undefined },
  );
  if (refused !== undefined) throw new Error(refused.message);
  const next: SessionState = records.reduce(sessionDecider.evolve, session as SessionState);
  if (next === undefined) throw new Error('The session is gone.');
  return next;
}

describe('a long session', () => {
  // Anything that rescans every message or proposal would take minutes here.
  it('I-8, N-6: 50,000 messages of 1,000 participants cost the same each', () => {
    const story: Story = given(start({ participants: PARTICIPANTS }, 'agent-0'));
    let session: Session = sessionOf(story);
    for (let round = 0; round < 25_000; round++) {
      const sender = PARTICIPANTS[round % 1000] ?? '';
      session = accept(session, sender, 'Proposal', { proposal_id: `p${round}` });
      session = accept(session, sender, 'Accept', { proposal_id: `p${round}` });
    }
    expect(session.version).toBe(50_001);
    expect(session.messages.size).toBe(50_001);
    expect(sessionOf({ ...story, state: session }).negotiation.acceptances.size).toBe(1000);
  });

  it('I-8, N-14: 25,000 votes on 25 options cost the same each', () => {
    let session: Session = sessionOf(given(startDecision({ participants: PARTICIPANTS })));
    const options = Array.from({ length: 25 }, (_, index) => `p${index}`);
    for (const proposal_id of options)
      session = accept(session, 'agent-0', 'Proposal', { proposal_id, option: 'one' });
    for (const proposal_id of options)
      for (const sender of PARTICIPANTS)
        session = accept(session, sender, 'Vote', { proposal_id, vote: 'APPROVE' });
    expect(session.version).toBe(1 + 25 + 25_000);
  });

  // What a participant can say again and again, after what opens the session.
  it.each<[mode: string, opening: Said | undefined, again: (index: number) => Said]>([
    [
      DECISION_MODE,
      ['Proposal', { ...P1, option: 'one' }],
      () => ['Evaluation', { ...P1, recommendation: 'REVIEW' }],
    ],
    [TASK_MODE, ['TaskRequest', T1], () => ['TaskUpdate', T1]],
    [HANDOFF_MODE, ['HandoffOffer', { ...H1, target_participant: 'agent-1' }], () => ['HandoffContext', H1]],
    [MULTI_ROUND_MODE, undefined, (index) => ['Contribute', { value: `v${index}` }]],
  ])('I-8: 20,000 messages in %s cost the same each', (mode, opening, again) => {
    let session: Session = sessionOf(given(inMode(mode, start({ participants: PARTICIPANTS }, 'agent-0'))));
    if (opening !== undefined) session = accept(session, 'agent-0', ...opening);
    const isTask = mode === TASK_MODE;
    if (isTask) session = accept(session, 'agent-1', 'TaskAccept', T1);
    const before = session.version;
    for (let index = 0; index < 20_000; index++) {
      session = accept(session, isTask ? 'agent-1' : 'agent-0', ...again(index));
    }
    expect(session.version).toBe(before + 20_000);
  });

  it('I-8, N-17: 1,000 ballots of one request cost the same each', () => {
    let session: Session = sessionOf(
      given(inMode(QUORUM_MODE, start({ participants: PARTICIPANTS }, 'agent-0'))),
    );
    const asked = { request_id: 'r1', required_approvals: 1000 };
    session = accept(session, 'agent-0', 'ApprovalRequest', asked);
    for (const sender of PARTICIPANTS) session = accept(session, sender, 'Approve', { request_id: 'r1' });
    expect(session.version).toBe(1002);
  });
});
