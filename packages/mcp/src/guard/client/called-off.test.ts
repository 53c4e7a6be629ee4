import { defined } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import { isUnwanted } from './client-message.js';

describe('cancelled request', () => {
  it.each([
    'McpError: MCP error -32001: Request timed out',
    'SdkError: Request timed out',
    'TimeoutError: The operation was aborted due to timeout',
    'context deadline exceeded',
    'request timeout',
  ])('may be repeated if the caller only timed out: %s', (reason) => {
    expect(isUnwanted({ requestId: 1, reason })).toBe(false);
  });

  it.each([
    undefined,
    '',
    'AbortError: This operation was aborted',
    'context canceled',
    'User pressed Escape',
    5,
  ])('is no longer wanted for any other reason: %s', (reason) => {
    expect(isUnwanted({ requestId: 1, ...defined({ reason }) })).toBe(true);
  });
});
