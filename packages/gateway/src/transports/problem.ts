import { STATUS_CODES } from 'node:http';
import { REFUSALS, type Refusal, type RefusalCode } from '@proffer/core';

/** The HTTP status of a refusal. */
export function httpStatus(code: RefusalCode): number {
  return REFUSALS[code].http;
}

/** A refusal as the body of an HTTP answer: problem details (RFC 9457). */
export function problemText({ code, message, details }: Refusal, status: number): string {
  const problem = {
    type: `/openapi.json#/components/x-codes/${code}`,
    title: STATUS_CODES[status],
    status,
    detail: message,
    code,
    retryable: REFUSALS[code].retryable,
    details,
  };
  return `${JSON.stringify(problem)}\n`;
}
