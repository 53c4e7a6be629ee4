import { failure, type Result, success } from '@proffer/core';
import { formatDuration, parseDuration } from '../../../config/index.js';
import { refuseParameter } from '../../target.js';

/** The maximum wait of a request, in milliseconds. Proxies rarely allow more. */
const LONGEST = 600_000;

/** How long a caller wants to wait for an answer. */
export interface Wait {
  /** Milliseconds; 0 for a caller that does not want to wait. */
  readonly atMost: number;
  /** Whether the wait continues when someone rejects the proposal, because someone else may approve it. */
  readonly ignoreRejections: boolean;
}

/** Parses `?wait=30s[&onRejection=wait]`. */
export function readWait(query: URLSearchParams): Result<Wait> {
  const written = query.get('wait');
  const onRejection = query.get('onRejection') ?? 'return';
  if (onRejection !== 'return' && onRejection !== 'wait') {
    return failure(refuseParameter('onRejection', onRejection, 'return or wait'));
  }
  const atMost = written === null ? 0 : parseDuration(written);
  if (atMost === undefined || atMost > LONGEST) {
    const expected = `a duration up to ${formatDuration(LONGEST)}, such as 30s or 5m`;
    return failure(refuseParameter('wait', written ?? '', expected));
  }
  return success({ atMost, ignoreRejections: onRejection === 'wait' });
}
