import { NoAnswerError } from '@proffer/client/http';
import { expect, it } from 'vitest';
import { noAnswer } from './no-answer.js';

const endpoint = { url: 'http://127.0.0.1:7420', space: 'main', token: 'agent', assumed: false, given: {} };
const answered = (status: number) =>
  noAnswer(
    { endpoint, name: 'proffer' },
    new NoAnswerError('not_a_gateway', { message: '', mayHaveArrived: false, status }),
  ).failure;

it('a proxy without a gateway is not taken for a wrong address', () => {
  expect(answered(503)).toMatchObject({
    code: 'unreachable',
    message: 'A proxy answers at http://127.0.0.1:7420, but no gateway behind it is ready (HTTP status 503).',
    next: [expect.stringContaining('Try again')],
  });
  expect(answered(404)).toMatchObject({ code: 'not_a_gateway', next: ['Check --url.'] });
});
