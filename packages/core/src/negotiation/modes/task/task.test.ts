import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../json/json.js';
import { explainEligibility } from '../../session/explain.js';
import { becomes, type Case } from '../../testing/cases.js';
import { given, type Story, sessionOf } from '../../testing/given.js';
import { inMode } from '../../testing/in-mode.js';
import { reachable } from '../../testing/reachable.js';
import {
  commit as commitStep,
  type Step,
  send,
  start as startStep,
  startUnder,
} from '../../testing/steps.js';
import type { MacpEnvelope } from '../../wire/macp-envelope.js';
import { taskMode } from './mode.js';
import { TASK_MODE } from './name.js';
import { DEFAULT_TASK_RULES, type TaskRules } from './rules.js';

const say = (sender: string, type: string, payload: JsonObject = {}): Step =>
  inMode(TASK_MODE, send(sender, type, { task_id: 't1', ...payload }));
const start = (change: JsonObject = {}, initiator = 'boss'): Step =>
  inMode(TASK_MODE, startStep({ participants: ['boss', 'ann', 'bob'], ...change }, initiator));
const under = (rules: Partial<TaskRules>): Step =>
  inMode(
    TASK_MODE,
    startUnder({ ...DEFAULT_TASK_RULES, ...rules }, { participants: ['boss', 'ann', 'bob'] }, 'boss'),
  );
const commit = (sender: string, outcome_positive = true, change: JsonObject = {}): Step =>
  inMode(TASK_MODE, commitStep(sender, { outcome_positive, ...change }));
const request = (change: JsonObject = {}): Step => say('boss', 'TaskRequest', { title: 'Build', ...change });
const accept = (who: string): Step => say(who, 'TaskAccept');
const reject = (who: string): Step => say(who, 'TaskReject', { reason: 'busy' });
const complete = (who: string, output = ''): Step => say(who, 'TaskComplete', { output, summary: 'built' });
const fail = (who: string): Step => say(who, 'TaskFail', { error_code: 'E1', reason: 'no tools' });

const open = [start(), request()];
const working = [...open, accept('ann')];
const done = [...working, complete('ann')];
const back = under({ assignment: { allow_reassignment_on_reject: true } });
const givenBack = [back, request({ requested_assignee: 'ann' }), accept('ann'), reject('ann')];

describe('a task', () => {
  it.each<Case>([
    ['N-21: is requested by the initiator', [start()], request(), 'accepted'],
    ['N-21: even if that is no participant', [start({ participants: ['ann'] })], request(), 'accepted'],
    ['N-21: and by nobody else', [start()], say('ann', 'TaskRequest'), 'FORBIDDEN'],
    ['N-21: once', open, request({ task_id: 't2' }), 'INVALID_ENVELOPE'],
    ['N-21: with an id', [start()], request({ task_id: '' }), 'INVALID_ENVELOPE'],
    ['N-21: from a participant', [start()], request({ requested_assignee: 'ann' }), 'accepted'],
    ['N-21: not from others', [start()], request({ requested_assignee: 'eve' }), 'INVALID_ENVELOPE'],
    ['N-21: not from the requester', [start()], request({ requested_assignee: 'boss' }), 'INVALID_ENVELOPE'],
    ['N-21: before it is accepted', [start()], accept('ann'), 'INVALID_ENVELOPE'],
    ['N-21: is accepted by any other participant', open, accept('bob'), 'accepted'],
    ['N-21: not by the requester', open, accept('boss'), 'FORBIDDEN'],
    ['N-21: not by outsiders', open, accept('eve'), 'FORBIDDEN'],
    ['N-21: once', working, accept('bob'), 'INVALID_ENVELOPE'],
    [
      'N-21: by the one who was asked',
      [start(), request({ requested_assignee: 'ann' })],
      accept('bob'),
      'FORBIDDEN',
    ],
    ['N-21: under its id', open, say('ann', 'TaskAccept', { task_id: 't2' }), 'INVALID_ENVELOPE'],
    ['N-21: in its own name', open, say('ann', 'TaskAccept', { assignee: 'bob' }), 'INVALID_ENVELOPE'],
    ['N-21: with its name', open, say('ann', 'TaskAccept', { assignee: 'ann' }), 'accepted'],
    ['N-21: may be declined', open, reject('ann'), 'accepted'],
    ['N-21: once by each', [...open, reject('ann')], reject('ann'), 'INVALID_ENVELOPE'],
    ['N-21: for good', [...open, reject('ann')], accept('ann'), 'INVALID_ENVELOPE'],
    ['N-21: which leaves it to others', [...open, reject('ann')], accept('bob'), 'accepted'],
    ['N-21: not by the requester', open, reject('boss'), 'FORBIDDEN'],
    ['N-21: not while another works on it', working, reject('bob'), 'INVALID_ENVELOPE'],
    ['N-21: stays with its assignee', working, reject('ann'), 'POLICY_DENIED'],
    [
      'N-21: gets updates from its assignee',
      working,
      say('ann', 'TaskUpdate', { progress: 0.5 }),
      'accepted',
    ],
    ['N-21: not from the requester', working, say('boss', 'TaskUpdate'), 'FORBIDDEN'],
    ['N-21: not before it is accepted', open, say('ann', 'TaskUpdate'), 'FORBIDDEN'],
    ['N-21: not in words', working, say('ann', 'TaskUpdate', { progress: 'half' }), 'INVALID_ENVELOPE'],
    ['N-21: is completed by its assignee', working, complete('ann'), 'accepted'],
    ['N-21: by nobody else', working, complete('bob'), 'FORBIDDEN'],
    ['N-21: once', done, complete('ann'), 'FORBIDDEN'],
    ['N-21: does not fail after that', done, fail('ann'), 'FORBIDDEN'],
    ['N-21: has no more updates then', done, say('ann', 'TaskUpdate'), 'FORBIDDEN'],
    ['N-3: has no messages of other modes', open, say('ann', 'Proposal'), 'INVALID_ENVELOPE'],
  ])('%s', becomes);

  it('N-13: a session under a policy of another mode is not started', () => {
    expect(() => given(start({ policy_version: 'policy.guide' }))).toThrow('which is for another mode');
    expect(() => given(start({ policy_version: 'policy.nobodys' }))).toThrow('not found');
  });

  it('N-21: a session in which nobody could do it is not started', () => {
    expect(() => given(start({ participants: ['boss'] }))).toThrow('at least one other participant');
  });

  it.each<Case>([
    ['N-21: may be given back under a policy', [back, request(), accept('ann')], reject('ann'), 'accepted'],
    ['N-21: to others', [back, request(), accept('ann'), reject('ann')], accept('bob'), 'accepted'],
    ['N-21: even if only one was asked', givenBack, accept('bob'), 'accepted'],
    ['N-21: who may decline it, too', givenBack, reject('bob'), 'accepted'],
    ['N-21: not to the requester', givenBack, accept('boss'), 'FORBIDDEN'],
    [
      'N-21: not to others if the only one asked declines at once',
      [back, request({ requested_assignee: 'ann' }), reject('ann')],
      accept('bob'),
      'FORBIDDEN',
    ],
    [
      'N-21: not to the one who gave it back',
      [back, request(), accept('ann'), reject('ann')],
      accept('ann'),
      'INVALID_ENVELOPE',
    ],
    [
      'N-21: not after the report',
      [back, request(), accept('ann'), complete('ann')],
      reject('ann'),
      'FORBIDDEN',
    ],
  ])('%s', becomes);
});

describe('the outcome of a task', () => {
  const strict = under({ completion: { require_output: true } });
  const test = { policy_version: 'policy.test' };
  const declined = [start(), request({ requested_assignee: 'ann' }), reject('ann')];
  it.each<Case>([
    ['N-22: not before a report', working, commit('boss'), 'INVALID_ENVELOPE'],
    ['N-22: not even a negative one', working, commit('boss', false), 'INVALID_ENVELOPE'],
    ['N-22: positive after completion', done, commit('boss'), 'accepted'],
    ['N-22: or negative, if it is not good enough', done, commit('boss', false), 'accepted'],
    ['N-22: negative after a failure', [...working, fail('ann')], commit('boss', false), 'accepted'],
    ['N-22: not positive after a failure', [...working, fail('ann')], commit('boss'), 'POLICY_DENIED'],
    ['N-22: not by the assignee', done, commit('ann'), 'FORBIDDEN'],
    ['N-22: negative if the only one asked declines', declined, commit('boss', false), 'accepted'],
    ['N-22: not positive then', declined, commit('boss'), 'POLICY_DENIED'],
    [
      'N-22: not while others may accept',
      [...open, reject('ann')],
      commit('boss', false),
      'INVALID_ENVELOPE',
    ],
    [
      'N-22: negative if all decline',
      [...open, reject('ann'), reject('bob')],
      commit('boss', false),
      'accepted',
    ],
    ['N-22: not positive then', [...open, reject('ann'), reject('bob')], commit('boss'), 'POLICY_DENIED'],
    ['N-22: not while others may take over', givenBack, commit('boss', false, test), 'INVALID_ENVELOPE'],
    [
      'N-22: negative if they decline, too',
      [...givenBack, reject('bob')],
      commit('boss', false, test),
      'accepted',
    ],
    [
      'N-22: a policy may require output',
      [strict, request(), accept('ann'), complete('ann')],
      commit('boss', true, test),
      'POLICY_DENIED',
    ],
    [
      'N-22: which may be there',
      [strict, request(), accept('ann'), complete('ann', 'AAAA')],
      commit('boss', true, test),
      'accepted',
    ],
    [
      'N-22: and a negative outcome needs none',
      [strict, request(), accept('ann'), complete('ann')],
      commit('boss', false, test),
      'accepted',
    ],
  ])('%s', becomes);

  it('N-22: the explanation is the rule', () => {
    const explain = (...steps: readonly Step[]) => {
      const story = given(...steps);
      return explainEligibility(sessionOf(story), story.now);
    };
    expect(explain(start())).toMatchObject({ outcomes: [], reasons: ['No task has been requested.'] });
    expect(explain(...open).reasons).toEqual(['Nobody has accepted the task.']);
    expect(explain(...working).reasons).toEqual([
      '"ann" has not reported that the task is completed or failed.',
    ]);
    expect(explain(...done)).toMatchObject({ outcomes: ['positive', 'negative'] });
  });
});

describe('every state of a task', () => {
  const messages = [
    request(),
    request({ requested_assignee: 'ann' }),
    request({ requested_assignee: 'boss' }),
    ...['boss', 'ann', 'bob'].flatMap((who) => [accept(who), reject(who), complete(who), fail(who)]),
  ];
  const sayings = ({ records }: Story): readonly MacpEnvelope[] =>
    records.slice(1).map(({ envelope }) => envelope as MacpEnvelope);

  it.each<readonly [string, Step]>([
    ['policy.default', start()],
    ['a policy that lets it be given back', back],
  ])('N-21, N-22: under %s, has the outcomes that its history allows', (_, first) => {
    const stories = reachable(first, messages);
    expect(stories.length).toBeGreaterThan(15);
    for (const story of stories) {
      const said = sayings(story);
      const types = said.map(({ message_type }) => message_type);
      const reports = said.filter(({ message_type }) => /Complete|Fail/.test(message_type));
      const last = said.findLast(({ message_type }) => message_type === 'TaskAccept');
      expect(types.filter((type) => type === 'TaskRequest').length).toBeLessThanOrEqual(1);
      expect(reports.length).toBeLessThanOrEqual(1);
      if (reports.length > 0) expect(reports[0]?.sender).toBe(last?.sender);
      expect(last?.sender).not.toBe('boss');
      const rejections = said.filter(({ message_type }) => message_type === 'TaskReject');
      const decliners = new Set(rejections.map(({ sender }) => sender));
      const isOnlyAnns = said[0]?.payload['requested_assignee'] === 'ann' && last === undefined;
      const isLeft = (isOnlyAnns ? ['ann'] : ['ann', 'bob']).every((name) => decliners.has(name));
      const { outcomes } = explainEligibility(sessionOf(story), story.now);
      expect([types, outcomes]).toEqual([
        types,
        types.includes('TaskComplete')
          ? ['positive', 'negative']
          : reports.length > 0 || isLeft
            ? ['negative']
            : [],
      ]);
    }
  });

  it('N-12: survives a snapshot', () => {
    for (const { state } of reachable(start(), messages)) {
      const negotiation = state?.negotiation as typeof taskMode.initial;
      const json = taskMode.encode(negotiation);
      expect(taskMode.encode(taskMode.decode(JSON.parse(JSON.stringify(json)) as JsonObject))).toEqual(
        JSON.parse(JSON.stringify(json)),
      );
    }
  });
});
