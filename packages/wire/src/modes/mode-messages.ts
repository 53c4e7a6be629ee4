import type { DescFile, DescMessage } from '@bufbuild/protobuf';

/** A mode's messages on the wire. */
export interface ModeMessages {
  /** The `.proto` file that declares them. */
  readonly file: DescFile;
  /** By message type. Another mode may use the same names for other messages. */
  readonly payloads: Readonly<Record<string, DescMessage>>;
}
