import type { DescFile, DescMessage } from '@bufbuild/protobuf';
import { MODE_FILES } from '../gen/modes.js';

/** The messages of a mode on the wire. */
export interface ModeMessages {
  /** The `.proto` files that declare them. */
  readonly files: readonly DescFile[];
  /** By message type. Another mode may have others under the same names. */
  readonly payloads: ReadonlyMap<string, DescMessage>;
}

const PACKAGE = /^macp\.modes\.(.+\.v\d+)$/;
const PAYLOAD = 'Payload';

/** Packages whose mode is called `ext.NAME.vN`. Add extension modes here. */
const EXTENSIONS: ReadonlySet<string> = new Set(['multi_round.v1']);

function modeNamed(name: string): string {
  return `${EXTENSIONS.has(name) ? 'ext' : 'macp.mode'}.${name}`;
}

/**
 * The messages of every mode, by its name: those of `macp.mode.NAME.vN` (or `ext.NAME.vN`) are in `proto/macp/modes/NAME/vN/`, and the
 * payload of the message `Vote` is `VotePayload`.
 */
export const MODES: ReadonlyMap<string, ModeMessages> = collectModes(MODE_FILES);

/** @throws Error for a file whose package is not that of a mode */
export function collectModes(files: readonly DescFile[]): ReadonlyMap<string, ModeMessages> {
  const modes = new Map<string, ModeMessages>();
  for (const file of files) {
    const [, name] = PACKAGE.exec(file.proto.package) ?? [];
    if (name === undefined) {
      throw new Error(
        `${file.name}.proto has the package ${file.proto.package}; expected macp.modes.NAME.vN.`,
      );
    }
    const mode = modeNamed(name);
    const before = modes.get(mode) ?? { files: [], payloads: new Map() };
    modes.set(mode, {
      files: [...before.files, file],
      payloads: new Map([...before.payloads, ...payloadsIn(file)]),
    });
  }
  return modes;
}

function payloadsIn({ messages }: DescFile): readonly (readonly [string, DescMessage])[] {
  return messages
    .filter(({ name }) => name.endsWith(PAYLOAD))
    .map((message) => [message.name.slice(0, -PAYLOAD.length), message]);
}
