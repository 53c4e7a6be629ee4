import type { DescFile, DescMessage } from '@bufbuild/protobuf';

/** The messages of a mode on the wire. */
export interface ModeMessages {
  /** The `.proto` file that declares them. */
  readonly file: DescFile;
  /** By message type. Another mode may have others under the same names. */
  readonly payloads: Readonly<Record<string, DescMessage>>;
}
