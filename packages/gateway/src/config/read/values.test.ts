import { describe, expect, it } from 'vitest';
import { configured, problemOf } from '../testing/configured.js';

const limits = (key: string, value: string) => configured(`dev: true\nlimits: { ${key}: ${value} }`).limits;
const limitProblem = (key: string, value: string) => problemOf(`dev: true\nlimits: { ${key}: ${value} }`);
const ttl = (value: string) =>
  configured(`dev: true\nspaces: { main: { max_ttl: ${value} } }`).spaces.get('main')?.maxTtl;

describe('values', () => {
  it.each([
    ['30s', 30_000],
    ['10m', 600_000],
    ['10min', 600_000],
    ['1.5h', 5_400_000],
    ['7d', 604_800_000],
    ['250ms', 250],
    ['1500', 1500],
    ["'30 s'", 30_000],
  ])('the duration %s is %d ms', (text, expected) => {
    expect(ttl(text)).toBe(expected);
  });

  it.each([
    ['30 seconds', undefined],
    ['30S', '30s'],
    ['-1s', undefined],
    ['0', undefined],
    ['forever', undefined],
    ['', undefined],
    ['[1]', undefined],
    ['1e3', undefined],
    ['99999d', undefined],
  ])('the duration %j is rejected', (text, suggestion) => {
    const problem = problemOf(`dev: true\nspaces: { main: { max_ttl: ${text} } }`);
    expect(problem).toMatchObject({ line: 2, path: 'spaces.main.max_ttl' });
    expect(problem.message).toContain('such as 30s, 10m, 7d');
    expect(problem.suggestion).toBe(suggestion);
  });

  it.each([
    ['2MiB', 2_097_152],
    ['512KiB', 524_288],
    ['1.5MB', 1_500_000],
    ['65536', 65_536],
  ])('the size %s is %d bytes', (text, expected) => {
    expect(limits('message_size', text).messageSize).toBe(expected);
  });

  it.each([
    ['1mib', '1MiB'],
    ['1M', '1MiB'],
    ['12', undefined],
    ['1PB', undefined],
    ['65MiB', undefined],
  ])('the size %s is rejected', (text, suggestion) => {
    expect(limitProblem('message_size', text).suggestion).toBe(suggestion);
  });

  it('a rate is a count per time', () => {
    expect(limits('session_starts_per_participant', '90/min').sessionStartsPerParticipant).toEqual({
      count: 90,
      period: 60_000,
    });
    expect(limits('messages_per_participant', '5 / s').messagesPerParticipant).toEqual({
      count: 5,
      period: 1000,
    });
    expect(limitProblem('messages_per_participant', '100').suggestion).toBe('100/min');
    expect(limitProblem('messages_per_participant', '0/s').message).toContain('such as 100/s');
  });

  it('quotes turn a number or a flag into text, and only unquoted ones count as numbers and flags', () => {
    expect(limitProblem('message_depth', '"64"').message).toContain('whole number from 4 to 512');
    expect(limitProblem('message_depth', '64.5').path).toBe('limits.message_depth');
    expect(problemOf('dev: "true"').suggestion).toBe('true');
    expect(problemOf('dev: yes').suggestion).toBe('true');
  });

  it('a message of maximum size can always be delivered', () => {
    const problem = problemOf(
      'dev: true\nlimits:\n  message_size: 2MiB\n  unacknowledged_per_connection: 1MiB',
    );
    expect(problem).toMatchObject({ line: 4, path: 'limits.unacknowledged_per_connection' });
    expect(problem.message).toContain('2MiB');
  });
});
