import { isVisible } from '../../envelope/name.js';
import { formatPath } from '../../json/json.js';
import { filledText, reader, wrong } from './readers.js';

/** The longest name of a participant or a policy, in UTF-16 units. */
export const MAX_NAME_LENGTH = 256;

/** The longest id of a message or a proposal, in UTF-16 units: a session remembers every one (N-6). */
export const MAX_ID_LENGTH = 256;

/**
 * The name of a participant or a policy: 1 to 256 visible characters, because two names that look the
 * same must be the same.
 */
export const name = reader(
  (found): found is string =>
    typeof found === 'string' && found.length <= MAX_NAME_LENGTH && isVisible(found),
  (found, path) => wrong(found, path, `1 to ${MAX_NAME_LENGTH} visible characters`),
);

/** The id of a message or a proposal: non-blank text, at most 256 characters. */
export const id = reader(
  (found): found is string =>
    typeof found === 'string' && found.length <= MAX_ID_LENGTH && filledText.isRight?.(found) === true,
  (found, path) => {
    const reading = filledText(found, path);
    if (!reading.ok) return reading;
    const problem = {
      field: formatPath(path),
      found: `${reading.value.length} characters`,
      expected: `at most ${MAX_ID_LENGTH} characters`,
    };
    return { ok: false, problem };
  },
);
