import { defined, type JsonValue } from '@proffer/core/json';
import type { ShownVersion } from '@proffer/core/operations';
import {
  describeDeadline,
  describeEnding,
  describeLength,
  describeOperation,
  describeStep,
  PLAIN,
  subject,
  type Voice,
} from '@proffer/core/words';
import type { Ended, Outbox, OutboxMessage, Summary } from '../outbox/outbox.js';

/** How notifications write what is not ours. */
const VOICE: Voice = { ...PLAIN, span: describeLength };

const TITLES: Readonly<Record<Ended['ended'], string>> = {
  fulfilled: 'Approved',
  withdrawn: 'Withdrawn',
  expired: 'Expired',
  declined: 'Declined',
};

/** The outcome in a word or two: `Approved by alice`. */
function titleOfEnded(ended: Ended | undefined): string {
  if (ended === undefined) return 'Ended';
  return `${TITLES[ended.ended]}${ended.by === undefined ? '' : ` by ${VOICE.name(ended.by)}`}`;
}

/** The outcome as a sentence: who decided what, and why (O-45). */
function describeEnded({ ended, by, reason, why }: Ended): string {
  if (why !== undefined) return describeEnding(why, VOICE);
  const notice = { notice: ended, final: true, why: 'unanswered' };
  const payload = by === undefined ? notice : defined({ reason });
  const { what, said } = describeStep({ type: ended, facts: {}, payload }, VOICE);
  if (by === undefined) return what;
  return `${subject(by, VOICE)} ${what}${said === undefined ? '' : ` (${VOICE.text(said)})`}.`;
}

/** One proposal in a notification. */
export interface Item {
  readonly summary: Summary;
  /** Where all of it can be seen and decided. */
  readonly link: string;
  /** What the channel returned for an earlier message about it. */
  readonly receipt?: JsonValue;
}

/**
 * A message for a channel: recipient, subject and text. Text from others has its invisible characters
 * made visible.
 */
export interface Notification {
  /** An id that is equal on every attempt. */
  readonly id: string;
  readonly kind: OutboxMessage['kind'];
  readonly recipient: string;
  readonly items: readonly Item[];
  readonly ending?: Ended;
  /** One line. */
  readonly title: string;
  /** Some lines, for channels that show plain text. */
  readonly text: string;
  /** The page that shows it: the proposal if there is one, else the inbox. */
  readonly link: string;
  /** Lets the recipient decide without signing in; only if the message is about a single proposal. */
  readonly decision?: DecisionAccess;
  /** The key in the buttons of this message, if its channel has buttons and it is about a single proposal. */
  readonly buttonKey?: string;
  /** What an approval from this message is for; absent: it cannot be approved there. */
  readonly seen?: ShownVersion;
  /** Milliseconds since 1970. */
  readonly sentAt: number;
}

/** Decides one proposal, once, for whoever holds it. */
export interface DecisionAccess {
  /** Sent in the body of a request, never in its address. */
  readonly key: string;
  /** Where the key is posted. */
  readonly url: string;
  /** The page that shows everything and asks. */
  readonly link: string;
}

export interface RenderOptions {
  readonly recipient: string;
  readonly now: number;
  /** The page of a proposal; without one, the inbox. */
  readonly linkTo: (summary?: Summary) => string;
  readonly decision?: DecisionAccess | undefined;
  readonly buttonKey?: string | undefined;
  readonly seen?: ShownVersion | undefined;
}

/** A digest names this many; the inbox has the rest. */
const MAX_NAMED = 10;

/** Composes a message. `undefined` if everything it was about is gone. */
export function render(
  message: OutboxMessage,
  threads: Outbox['threads'],
  { recipient, now, linkTo, decision, buttonKey, seen }: RenderOptions,
): Notification | undefined {
  const items = message.proposals.flatMap((proposal): Item[] => {
    const thread = threads.get(proposal);
    if (thread === undefined) return [];
    const { summary, receipt } = thread;
    const link = decision?.link ?? linkTo(summary);
    return [{ summary, link, ...defined({ receipt }) }];
  });
  const [first] = items;
  if (first === undefined) return undefined;
  const { id, kind, ending } = message;
  return {
    id,
    kind,
    recipient,
    items,
    ...defined({ ending }),
    title: titleOf(message, items, now),
    text: items.length === 1 ? textOf(first, now, ending) : listOf(items, now),
    link: items.length === 1 ? first.link : linkTo(),
    ...defined({ decision, buttonKey, seen }),
    sentAt: now,
  };
}

function titleOf({ kind, ending }: OutboxMessage, items: readonly Item[], now: number): string {
  const [first] = items;
  if (first === undefined) return '';
  const { summary } = first;
  if (items.length > 1)
    return `${items.length} calls ${kind === 'reminder' ? 'expire soon' : 'are waiting for you'}`;
  if (kind === 'ended')
    return `${titleOfEnded(ending)}: ${operationIn(summary)} (${VOICE.name(summary.proposer)})`;
  const wish = wishIn(summary);
  if (kind === 'reminder' && summary.expiresAt !== undefined) {
    return `${wish}. ${describeDeadline(summary, now, VOICE)}`;
  }
  return wish;
}

/** Who wants to do what: `agent wants to run write_file`. */
function wishIn(summary: Summary): string {
  return `${VOICE.name(summary.proposer)} wants to ${operationIn(summary)}`;
}

function operationIn({ method, subject }: Summary): string {
  return describeOperation(
    { method, ...(subject === undefined ? {} : { subject: { name: subject } }) },
    VOICE,
  );
}

function textOf({ summary }: Item, now: number, ending: Ended | undefined): string {
  const lines = [
    `${wishIn(summary)} in ${summary.space}.`,
    ...summary.shown.map(({ name, text }) => `  ${name}: ${text}`),
    ...(ending === undefined ? [timeLeft(summary, now)] : [describeEnded(ending)]),
    summary.digest,
  ];
  return lines.filter((line) => line !== '').join('\n');
}

function listOf(items: readonly Item[], now: number): string {
  const named = items.slice(0, MAX_NAMED).map(({ summary }) => {
    return `${wishIn(summary)}. ${timeLeft(summary, now)}`.trim();
  });
  const more = items.length - named.length;
  return [...named, ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
}

function timeLeft(summary: Summary, now: number): string {
  return summary.expiresAt === undefined ? '' : `${describeDeadline(summary, now, VOICE)}.`;
}

/** A sample notification for testing a channel. It refers to nothing that exists. */
export function sampleNotification(recipient: string, link: string, now: number): Notification {
  return {
    id: `msg_sample${now}`,
    kind: 'asked',
    recipient,
    items: [],
    title: 'This is a test from Proffer',
    text: `Notifications for ${recipient} will arrive here. This is a test; nothing is waiting for you.`,
    link,
    sentAt: now,
  };
}
