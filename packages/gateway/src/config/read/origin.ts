import { scalar } from './scalar.js';

const EXPECTED = 'an origin, such as https://app.example.com or http://localhost:5173';

/**
 * The origin of a page, exactly as browsers send it. Neither `*`, which means everyone, nor `null`, which every
 * sandboxed page sends.
 */
export const origin = scalar<string>((found) => {
  const url = URL.canParse(found) ? new URL(found) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return { expected: EXPECTED };
  return url.origin === found ? { value: found } : { expected: EXPECTED, suggestion: url.origin };
}, EXPECTED);
