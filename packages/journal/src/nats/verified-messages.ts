import type { JsMsg } from '@nats-io/jetstream';

export interface VerifiedMessagesOptions {
  /** Rejects unless the stream is the one that was opened. */
  readonly verify: () => Promise<void>;
  /** Called with the messages of verified consumers, in order. */
  readonly onMessage: (message: JsMsg) => void;
  /** A consumer could not be verified, so its messages are dropped. */
  readonly onFailed: (error: unknown) => void;
}

/**
 * Passes on messages only if they are from the stream that was opened. The client recreates a consumer that is gone
 * on its own, perhaps on another stream that has taken the name. A consumer ends with its stream: so if the stream
 * is still the right one after the first message of a consumer, it is the consumer's own.
 */
export function verifiedMessages(options: VerifiedMessagesOptions): (message: JsMsg) => void {
  let verified = '';
  let unverified: { readonly consumer: string; readonly messages: JsMsg[] } | undefined;

  async function verify(one: NonNullable<typeof unverified>): Promise<void> {
    try {
      await options.verify();
    } catch (error) {
      return options.onFailed(error);
    }
    if (unverified !== one) return;
    verified = one.consumer;
    unverified = undefined;
    for (const message of one.messages) options.onMessage(message);
  }

  return (message) => {
    const { consumer } = message.info;
    if (consumer === verified) return options.onMessage(message);
    if (unverified?.consumer === consumer) return void unverified.messages.push(message);
    unverified = { consumer, messages: [message] };
    void verify(unverified);
  };
}
