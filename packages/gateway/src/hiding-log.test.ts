import { pino } from 'pino';
import { expect, it } from 'vitest';
import { hidingLog } from './hiding-log.js';

const TOKEN = `ghp_${'a1B2'.repeat(9)}`;
const PASSWORD = 'correct horse battery';
const logged: string[] = [];
const log = pino({ level: 'trace' }, { write: (line) => void logged.push(line) });

/** What was logged, without anything that looks like a secret. */
function expectClean(): void {
  const all = logged.join('');
  expect(all).not.toContain(TOKEN);
  expect(all).not.toContain(PASSWORD);
}

it('hides secrets in whatever is logged, also in errors, and keeps the rest', () => {
  const hiding = hidingLog(log);
  const cause = new Error(`"api_key": "${PASSWORD}"`);
  hiding.error({ err: new Error(`could not use ${TOKEN}`, { cause }), path: '/a' }, 'a call failed');
  hiding.warn({ refusal: { code: 'ERR_HTTP2_GOAWAY_SESSION', details: { password: PASSWORD } } }, 'refused');
  expectClean();
  const [failed, refused] = logged.slice(-2).map((line) => JSON.parse(line) as Record<string, object>);
  expect(failed).toMatchObject({ err: { type: 'Error' }, path: '/a', msg: 'a call failed' });
  expect(JSON.stringify(failed)).toContain('could not use [redacted]');
  expect(refused).toMatchObject({ refusal: { code: 'ERR_HTTP2_GOAWAY_SESSION' } });
});
