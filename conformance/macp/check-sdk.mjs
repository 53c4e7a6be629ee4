// Runs MACP's public TypeScript SDK, unchanged, against a gateway, in each of its modes.
//
//   node conformance/macp/check-sdk.mjs HOST:PORT SDK
//
// The gateway believes every name (`proffer up --dev`); SDK is the folder of a built macp-sdk-typescript. Prints one line for
// each check; the exit code is 1 if one failed.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import process from 'node:process';

const [address = '127.0.0.1:50051', folder = '.'] = process.argv.slice(2);
const sdk = createRequire(import.meta.url)(resolve(folder));
const { Auth, MacpClient } = sdk;

const client = new MacpClient({ address, secure: false, allowInsecure: true, auth: Auth.devAgent('ann') });
/** @param {string} sender */
const as = (sender) => ({ sender, auth: Auth.devAgent(sender) });
/** @param {{ sessionId: string }} session */
const idOf = ({ sessionId }) => sessionId;
/** @param {{ mode: string }} mode */
const nameOf = ({ mode }) => mode;
const START = { intent: 'check', participants: ['ann', 'bob', 'cat'], ttlMs: 60_000 };
/** @param {string} action */
const outcome = (action) => ({ action, authorityScope: 'check', reason: 'agreed' });

/**
 * @param {string} kind - the class of the session
 * @param {object} [more] - how it is started, where it differs
 */
async function begin(kind, more = {}) {
  const session = new sdk[kind](client);
  await session.start({ ...START, ...more });
  return session;
}

/**
 * @param {Awaited<ReturnType<typeof begin>>} session
 * @param {string} state
 */
async function expectState(session, state) {
  const { metadata } = await session.metadata();
  assert.match(String(metadata.state), new RegExp(state));
}

const checks = {
  async decision() {
    const session = await begin('DecisionSession');
    await session.propose({ proposalId: 'p1', option: 'deploy', rationale: 'it is ready' });
    await session.evaluate({ proposalId: 'p1', recommendation: 'APPROVE', confidence: 0.9, ...as('bob') });
    await session.raiseObjection({ proposalId: 'p1', reason: 'late', severity: 'low', ...as('cat') });
    await session.vote({ proposalId: 'p1', vote: 'APPROVE', ...as('bob') });
    await session.vote({ proposalId: 'p1', vote: 'APPROVE', ...as('cat') });
    await session.commit(outcome('deployment.approved'));
    await expectState(session, 'RESOLVED');
  },
  async proposal() {
    const session = await begin('ProposalSession', { participants: ['ann', 'bob'] });
    await session.propose({ proposalId: 'p1', title: '100 dollars' });
    await session.counterPropose({
      proposalId: 'p2',
      supersedesProposalId: 'p1',
      title: '90 dollars',
      ...as('bob'),
    });
    await session.accept({ proposalId: 'p2' });
    await session.accept({ proposalId: 'p2', ...as('bob') });
    await session.commit(outcome('contract.agreed'));
    await expectState(session, 'RESOLVED');
  },
  async task() {
    const session = await begin('TaskSession');
    await session.requestTask({
      taskId: 't1',
      title: 'count',
      instructions: 'all',
      requestedAssignee: 'bob',
    });
    await session.acceptTask({ taskId: 't1', assignee: 'bob', ...as('bob') });
    await session.updateTask({ taskId: 't1', status: 'half', progress: 0.5, message: '', ...as('bob') });
    await session.completeTask({ taskId: 't1', assignee: 'bob', output: Buffer.from('42'), ...as('bob') });
    await session.commit(outcome('task.completed'));
    await expectState(session, 'RESOLVED');
  },
  async handoff() {
    const session = await begin('HandoffSession');
    await session.offer({ handoffId: 'h1', targetParticipant: 'bob', scope: 'support' });
    await session.addContext({ handoffId: 'h1', contentType: 'text/plain', context: Buffer.from('see') });
    await session.acceptHandoff({ handoffId: 'h1', acceptedBy: 'bob', ...as('bob') });
    await session.commit(outcome('handoff.accepted'));
    await expectState(session, 'RESOLVED');
  },
  async quorum() {
    const session = await begin('QuorumSession');
    await session.requestApproval({
      requestId: 'r1',
      action: 'release',
      summary: 'release it',
      requiredApprovals: 2,
    });
    await session.approve({ requestId: 'r1', ...as('bob') });
    await session.approve({ requestId: 'r1', ...as('cat') });
    await session.commit(outcome('quorum.approved'));
    await expectState(session, 'RESOLVED');
  },
  async refusals() {
    const session = await begin('ProposalSession');
    await assert.rejects(session.propose({ proposalId: 'p1', title: 't', ...as('mallory') }), /FORBIDDEN/);
    await assert.rejects(session.commit(outcome('contract.agreed')));
  },
  async lifecycle() {
    const session = await begin('ProposalSession');
    await session.suspend('lunch');
    await expectState(session, 'SUSPENDED');
    await session.resume('back');
    await session.cancel('enough');
    await expectState(session, 'CANCELLED');
  },
  async streams() {
    const session = await begin('ProposalSession');
    await session.propose({ proposalId: 'p1', title: '100 dollars' });
    const stream = client.openStream();
    await stream.sendSubscribe(session.sessionId, 0);
    const types = [];
    for (let count = 0; count < 2; count++) types.push((await stream.read(20_000))?.messageType);
    assert.deepEqual(types, ['SessionStart', 'Proposal']);
    stream.close();
  },
  async lists() {
    const made = [await begin('ProposalSession'), await begin('ProposalSession')];
    const listed = (await client.listSessions({ pageSize: 1 })).map(idOf);
    assert.ok(made.every(({ sessionId }) => listed.includes(sessionId)));
    assert.equal(new Set(listed).size, listed.length);
  },
  async registries() {
    const { modes } = await client.listModes();
    assert.ok(modes.map(nameOf).includes('macp.mode.decision.v1'));
    assert.ok((await client.listPolicies()).length > 0);
    await client.getManifest();
    await client.listRoots();
    await client.listExtModes();
  },
};

let failed = 0;
try {
  await client.initialize();
  for (const [name, check] of Object.entries(checks)) {
    try {
      await check();
      process.stdout.write(`ok    ${name}\n`);
    } catch (error) {
      failed++;
      process.stdout.write(`FAIL  ${name}\n      ${error instanceof Error ? error.stack : String(error)}\n`);
    }
  }
} finally {
  client.close();
}
process.exitCode = failed > 0 ? 1 : 0;
