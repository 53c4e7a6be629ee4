const UNITS = new Map([
  ['H', 3_600_000],
  ['M', 60_000],
  ['S', 1_000],
  ['m', 1],
  ['u', 0.001],
  ['n', 0.000_001],
]);

/** The maximum of a timer, in milliseconds; calls with a longer deadline have none. */
const LONGEST = 2_147_483_647;

/** The deadline of a call by its `grpc-timeout` header, in milliseconds; `undefined` if it has none. */
export function timeoutOf(header: string | undefined): number | 'wrong' | undefined {
  if (header === undefined) return undefined;
  const [, digits = '', letter = ''] = /^(\d{1,8})([HMSmun])$/.exec(header) ?? [];
  const unit = UNITS.get(letter);
  if (unit === undefined) return 'wrong';
  const time = Math.ceil(Number(digits) * unit);
  return time > LONGEST ? undefined : time;
}
