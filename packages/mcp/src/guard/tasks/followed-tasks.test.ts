import { expect, it } from 'vitest';
import { RELATED_TASK_KEY } from '../server/index.js';
import { FollowedTasks } from './followed-tasks.js';

const about = (taskId: string) => ({ _meta: { kept: 1, [RELATED_TASK_KEY]: { taskId } } });

it("a server task of a guarded call has the guard's id for the client, and its own for the server", () => {
  const tasks = new FollowedTasks();
  const asking = (taskId: string) => ({ id: 1, method: 'elicitation/create', params: about(taskId) });
  expect(tasks.toClient(asking('theirs'))).toEqual(asking('theirs'));
  tasks.add('theirs', 'ours');
  expect(tasks.toClient(asking('theirs'))).toEqual(asking('ours'));
  const status = (taskId: string) => ({
    method: 'notifications/tasks/status',
    params: { taskId, status: 'working' },
  });
  expect(tasks.toClient(status('theirs'))).toEqual(status('ours'));
  const answer = (taskId: string) => ({ id: 1, result: about(taskId) });
  expect(tasks.toServer(answer('ours'))).toEqual(answer('theirs'));
  const other = asking('another');
  expect(tasks.toClient(other)).toBe(other);
  expect([tasks.has('theirs'), tasks.has('ours')]).toEqual([true, false]);
});
