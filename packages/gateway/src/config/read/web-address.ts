import { scalar } from './scalar.js';

const EXPECTED = 'an http or https URL';

/** An `https:` or `http:` URL. */
export const webAddress = scalar<string>((found) => {
  const url = URL.canParse(found) ? new URL(found) : undefined;
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? { value: found } : { expected: EXPECTED };
}, EXPECTED);
