import type { PayloadReaders } from '../../wire/payloads.js';
import { filledText, messageOf } from '../../wire/readers.js';

/** The value that the sender is for now; a later one replaces it. */
export type ContributePayload = { readonly value: string };

/** The payload of each message that only this mode has. */
export type MultiRoundPayloads = { readonly Contribute: ContributePayload };

/** Their readers. */
export const MULTI_ROUND_READERS: PayloadReaders<MultiRoundPayloads> = {
  Contribute: messageOf<ContributePayload>({ value: filledText }),
};
