import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { servedModes } from '@proffer/core/negotiation';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/cli.js';
import { useDevGateway } from '../../testing/dev-gateway.js';
import { shortMode } from '../mode-names.js';

const gateway = useDevGateway();

const run = (...args: readonly string[]) => gateway.run('negotiate', ...args);

const OUTCOME = ['--action', 'a.thing', '--scope', 'team', '--reason', 'so it is'];

/** Starts a session; its id, and what was printed. */
async function start(mode: string, ...more: readonly string[]) {
  const { stdout, stderr } = await run('start', 'a thing', '--mode', mode, '--as', 'ann', ...more);
  expect(stderr).toBe('');
  const [, session = ''] = /^Started (\S+)\./.exec(stdout) ?? [];
  return { session, stdout };
}

const PARTIES = ['-p', 'ann', '-p', 'bob', '-p', 'cem'];

/** Messages of a session, each from its sender, as one types them. All are accepted; the last answer. */
async function say(
  session: string,
  ...messages: readonly (readonly [as: string, ...words: readonly string[]])[]
) {
  let stdout = '';
  for (const [as, ...words] of messages) {
    const answer = await run('send', session, ...words, '--as', as);
    expect(answer.stderr).toBe('');
    ({ stdout } = answer);
  }
  return stdout;
}

/** The command that a text suggests, with its blanks filled in. */
function suggested(text: string, verb: string): readonly string[] {
  const [, command = ''] = new RegExp(`proffer negotiate (${verb} .*)`).exec(text) ?? [];
  return command.replaceAll('…', 'x').split(' ');
}

describe('negotiating in every mode', () => {
  it('names each mode briefly, and shows its messages with what each needs', async () => {
    const [all, help, unknown] = await Promise.all([
      run('modes'),
      run('start', '--help'),
      run('modes', 'auction'),
    ]);
    const spaced = help.stdout.replaceAll(/\s+/g, ' ');
    for (const { mode, message_types } of servedModes()) {
      const { stdout } = await run('modes', shortMode(mode));
      expect(stdout).toContain(mode);
      expect(spaced).toContain(shortMode(mode));
      for (const type of message_types.slice(1, -1)) {
        expect(all.stdout).toMatch(new RegExp(`^  ${type} `, 'm'));
        expect(stdout).toMatch(new RegExp(`^${type}$`, 'm'));
      }
    }
    const { stdout } = await run('modes', 'decision');
    expect(stdout).toMatch(
      /^Vote\n {2}proposal_id +needed .*\n {2}vote +needed +APPROVE or REJECT or ABSTAIN\n {2}reason +text\n/m,
    );
    expect(stdout).toMatch(/supporting_data +any text, or a file as @FILE/);
    expect(unknown).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The modes are proposal, decision, '),
    });
  });

  it('N-14: decides, and shows the votes, objections and evaluations of each option', async () => {
    const { session, stdout } = await start('decision', ...PARTIES);
    expect(stdout).toContain(`send ${session} Proposal proposal_id=… option=… --as ann`);
    const answer = await say(
      session,
      ['ann', 'Proposal', 'proposal_id=p1', 'option=Berlin', 'rationale=It is near.'],
      ['bob', 'Evaluation', 'proposal_id=p1', 'recommendation=APPROVE', 'confidence=0.8'],
      ['cem', 'objection', 'proposal_id=p1', 'severity=critical', 'reason=too far'],
      ['bob', 'vote', 'proposal_id=p1', 'vote=APPROVE'],
      ['cem', 'Vote', '{"proposal_id":"p1","vote":"REJECT","reason":"no"}'],
    );
    const shown = (await run('show', session)).stdout;
    expect(shown).toMatch(/mode +decision\n/);
    expect(shown).toContain(
      '● p1  Berlin  by ann\n    │ It is near.\n    ≈ bob recommends APPROVE, 80 % sure\n' +
        '    ! cem objects (critical): too far\n    ✓ bob\n    ✗ cem: no\n    · no vote from ann\n',
    );
    expect(await run(...suggested(answer, 'commit'))).toMatchObject({ code: 0 });
    expect((await run('replay', session)).stdout).toMatch(/cem votes against p1 {2}no\n +OPEN · Voting\n/);
  });

  it('N-22: shows the progress of a task; a failed one ends as negative, in every list too', async () => {
    const { session } = await start('task', ...PARTIES);
    await say(
      session,
      ['ann', 'TaskRequest', 'task_id=t1', 'title=Translate', 'input=Hello'],
      ['cem', 'TaskReject', 'task_id=t1', 'reason=busy'],
      ['bob', 'TaskAccept', 'task_id=t1'],
      ['bob', 'TaskUpdate', 'task_id=t1', 'progress=0.5', 'message=half of it'],
    );
    const shown = (await run('show', session)).stdout;
    expect(shown).toContain('t1  Translate  asked by ann of whoever accepts it\n    input:\n    │ Hello\n');
    expect(shown).toContain(
      '✗ cem declined: busy\n    ● bob works on it\n    ██████████░░░░░░░░░░ 50 %  half of it\n',
    );
    const failed = await say(session, ['bob', 'TaskFail', 'task_id=t1', 'reason=no words', 'retryable=true']);
    expect(failed).toContain('It can only be committed as negative:');
    const denied = await run('commit', session, ...OUTCOME, '--as', 'ann');
    expect(denied).toMatchObject({ code: 1, stderr: expect.stringContaining('--negative') });
    expect(await run(...suggested(failed, 'commit'))).toMatchObject({ code: 0 });
    expect((await run('show', session)).stdout).toContain('✗ failed: no words  a retry may help\n');
    const listed = (await run('list', '--all')).stdout;
    expect(listed).toMatch(new RegExp(`${session} +task +RESOLVED, negative `));
    for (const [options, has] of [
      [['--mode', 'task'], true],
      [['--mode', 'decision'], false],
      [['--with', 'bob', '--mode', 'task'], true],
      [['--with', 'nobody'], false],
    ] as const) {
      expect((await run('list', '--all', ...options)).stdout.includes(session)).toBe(has);
    }
  });

  it('N-23: shows who holds what is handed over, and the contents that go with it', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'notes.md');
    await writeFile(file, 'Incident 4711\nThe disk is full.\n');
    const { session } = await start('handoff', ...PARTIES);
    await say(
      session,
      ['ann', 'HandoffOffer', 'handoff_id=h1', 'target_participant=bob', 'scope=pager'],
      ['ann', 'HandoffContext', 'handoff_id=h1', 'content_type=text/markdown', `context=@${file}`],
      ['bob', 'HandoffAccept', 'handoff_id=h1', 'reason=gladly'],
    );
    expect((await run('show', session)).stdout).toContain(
      '● ann holds it until the handoff to bob is committed\n  h1  to bob  accepted  pager\n    bob: gladly\n' +
        '    hands over text/markdown:\n    │ Incident 4711\n    │ The disk is full.\n',
    );
    expect(await run('commit', session, ...OUTCOME, '--as', 'ann')).toMatchObject({ code: 0 });
    expect((await run('show', session)).stdout).toContain('● bob holds it\n');
  });

  it('N-17: shows a quorum filling up', async () => {
    const { session } = await start('quorum', ...PARTIES);
    const answer = await say(
      session,
      ['ann', 'ApprovalRequest', 'request_id=r1', 'action=deploy', 'required_approvals=2'],
      ['bob', 'Approve', 'request_id=r1'],
      ['cem', 'Abstain', 'request_id=r1', 'reason=away'],
      ['ann', 'Approve', 'request_id=r1'],
    );
    expect((await run('show', session)).stdout).toContain(
      'r1  deploy  asked by ann\n    ████████████████████ 2 of 2 approvals\n    ✓ bob\n    – cem: away (abstains)\n    ✓ ann\n',
    );
    expect(await run(...suggested(answer, 'commit'))).toMatchObject({ code: 0 });
  });

  it('N-25: a number stays text where a value is text', async () => {
    const { session } = await start('multi-round', ...PARTIES);
    const answer = await say(
      session,
      ['ann', 'Contribute', 'value=5'],
      ['bob', 'Contribute', 'value=7'],
      ['cem', 'Contribute', 'value=7'],
      ['ann', 'Contribute', 'value=7'],
    );
    expect((await run('show', session)).stdout).toMatch(/ann {2}7\n {2}bob {2}7\n {2}cem {2}7\n/);
    expect(await run(...suggested(answer, 'commit'))).toMatchObject({ code: 0 });
  });

  it('says what a message lacks, what a session is for, and what there is instead', async () => {
    const { session } = await start('decision', ...PARTIES);
    await say(session, ['ann', 'Proposal', 'proposal_id=p1', 'option=Berlin']);
    const as = ['--as', 'bob'];
    const lacking = await run('send', session, 'Vote', 'proposal_id=p1', ...as);
    expect(lacking.stderr).toMatch(/^✗ vote is nothing; expected APPROVE or REJECT or ABSTAIN\.\n/);
    expect(lacking.stderr).toContain(`send ${session} Vote proposal_id=… vote=… --as bob`);
    const misspelt = await run('send', session, 'Vote', 'propsal_id=p1', ...as);
    expect(misspelt).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Vote has no field "propsal_id".'),
    });
    const twice = await run('send', session, 'Vote', 'vote=APPROVE', 'vote=REJECT', ...as);
    expect(twice.stderr).toContain('The field vote is given twice.');
    const unnamed = await run('send', session, 'Vote', 'APPROVE', ...as);
    expect(unnamed.stderr).toContain('"APPROVE" is not a field; write name=value.');
    const foreign = await run('send', session, 'Ballot', ...as);
    expect(foreign.stderr).toContain('is in decision mode. Its messages are Proposal, Evaluation,');
    const offered = await run('accept', session, 'p1', ...as);
    expect(offered.stderr).toContain(
      'accept is for offers, and this session has none: it is in decision mode.',
    );
    expect(offered.stderr).toContain(`negotiate send ${session} Vote proposal_id=… vote=…`);
    const absent = await run('start', 'x', '--mode', 'auction', ...PARTIES, '--as', 'ann');
    expect(absent.stderr).toMatch(/there is no mode "auction"\. The modes are proposal, decision, /);
  });

  it('N-13: shows the rules that a policy has in one mode, and in all that have it', async () => {
    const [one, all, other] = await Promise.all([
      run('policy', 'show', 'policy.default', '--mode', 'quorum'),
      run('policy', 'show', 'policy.default'),
      run('policy', 'show', 'policy.std.majority', '--mode', 'quorum'),
    ]);
    expect(one.stdout).toMatch(/^policy\.default {2}for quorum\n(?:.*\n)+ +"counts_toward_quorum": false/);
    expect(one.stdout).not.toContain('retires_original');
    for (const { mode } of servedModes())
      expect(all.stdout).toContain(`policy.default  for ${shortMode(mode)}\n`);
    expect(other.stderr).toContain('"policy.std.majority" is a policy for decision, not for quorum.');
  });
});
