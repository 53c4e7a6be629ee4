import {
  DecisionSession,
  devAgent,
  HandoffSession,
  httpTransport,
  MacpClient,
  MultiRoundSession,
  QuorumSession,
  TaskSession,
} from '@proffer/client/negotiation';

/** The ids of sessions in every mode but Proposal Mode, for a board to show. */
export interface EveryMode {
  readonly decision: string;
  readonly task: string;
  readonly handoff: string;
  readonly quorum: string;
  readonly rounds: string;
}

const about = { participants: ['ann', 'bob', 'reviewer'], ttlMs: 3_600_000 };

/** Sessions under way in every mode: ann leads, and speaks for the others. */
export async function playEveryMode(url: string): Promise<EveryMode> {
  await using ann = new MacpClient({ transport: httpTransport({ url }), auth: devAgent('ann') });
  await using decision = new DecisionSession(ann);
  await decision.start({ ...about, intent: 'Where do we meet?' });
  await decision.propose('p1', 'Berlin', { rationale: 'It is near, and the trains are cheap.' });
  await decision.propose('p2', 'Rome', { sender: 'bob' });
  await decision.evaluate('p1', 'APPROVE', { confidence: 0.8, reason: 'good trains', sender: 'bob' });
  await decision.object('p2', 'critical', { reason: 'too hot in July', sender: 'reviewer' });
  await decision.vote('p1', 'APPROVE');
  await decision.vote('p1', 'REJECT', { reason: 'it rains', sender: 'bob' });

  await using task = new TaskSession(ann);
  await task.start({ ...about, intent: 'A translation' });
  await task.request('t1', 'Translate the page', { instructions: 'Into German.', input: 'Hello!' });
  await task.reject('t1', { reason: 'busy', sender: 'reviewer' });
  await task.accept('t1', { sender: 'bob' });
  await task.update('t1', { progress: 0.6, message: 'two of three parts', sender: 'bob' });

  await using handoff = new HandoffSession(ann);
  await handoff.start({ ...about, intent: 'The pager' });
  await handoff.offer('h1', 'reviewer', { scope: 'pager', reason: 'my shift ends' });
  await handoff.decline('h1', { reason: 'on leave', sender: 'reviewer' });
  await handoff.offer('h2', 'bob', { scope: 'pager' });
  await handoff.addContext('h2', 'Incident 4711\nThe disk of db-2 is full.');
  await handoff.accept('h2', { sender: 'bob' });

  await using quorum = new QuorumSession(ann);
  await quorum.start({ ...about, intent: 'Release 2.0' });
  await quorum.requestApproval('r1', 'release', { requiredApprovals: 2, summary: 'version 2.0' });
  await quorum.approve('r1', { sender: 'bob' });
  await quorum.abstain('r1', { reason: 'I was away' });

  await using rounds = new MultiRoundSession(ann);
  await rounds.start({ ...about, intent: 'How many days?' });
  for (const [sender, value] of [
    ['ann', '2'],
    ['bob', '5'],
    ['ann', '4'],
    ['ann', '5'],
  ] as const)
    await rounds.contribute(value, { sender });

  return {
    decision: decision.sessionId,
    task: task.sessionId,
    handoff: handoff.sessionId,
    quorum: quorum.sessionId,
    rounds: rounds.sessionId,
  };
}
