/** What is known about a waiting proposal. Times in milliseconds since 1970. */
interface WaitingState {
  /** The other participants, by name. */
  readonly present: readonly string[];
  readonly expiresAt?: number | undefined;
  /** Whether the call was approved and is running. */
  readonly isRunning: boolean;
  /** The last status, for example `reviewer is considering it`. */
  readonly said?: string | undefined;
}

/** One or two sentences for a waiting caller: who decides, and how much time is left. */
export function waitingText({ present, expiresAt, isRunning, said }: WaitingState, now: number): string {
  if (isRunning) return 'It was approved and is running.';
  const whom =
    present.length === 0
      ? 'It is waiting for approval, but nobody who could approve it is connected.'
      : `It is waiting for approval by ${listed(present)}.`;
  const left = expiresAt === undefined ? '' : ` ${duration(expiresAt - now)} left.`;
  return `${whom}${said === undefined ? '' : ` ${said}.`}${left}`;
}

const MAX_NAMES = 3;

function listed(names: readonly string[]): string {
  if (names.length <= MAX_NAMES) return names.join(' or ');
  return `${names.slice(0, MAX_NAMES).join(', ')} or ${names.length - MAX_NAMES} others`;
}

function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
