import { Bridge, type BridgeOptions, createProposalArchive, reportLostCalls } from '@proffer/mcp';
import { connectionOver } from '../connection/follow.js';
import { cannotReach, cannotStart } from '../guard/cannot-start.js';
import { checkGiven } from '../guard/given-gateway.js';
import { type JoinSpaceOptions, joinSpace } from '../guard/join-space.js';
import { type ServerOptions, type ServerTarget, serverBehind } from '../guard/server-behind.js';
import { type Shell, stopSignal } from '../terminal/shell.js';
import { visible, visibleLine } from '../terminal/visible.js';

/** Command-line options of `bridge`. */
export interface BridgeCommandOptions extends JoinSpaceOptions, ServerOptions {
  readonly name?: string;
  readonly trustHints?: boolean;
}

/** Connects a server to a space until it is told to stop. */
export async function bridge(
  command: readonly string[],
  options: BridgeCommandOptions,
  shell: Shell,
): Promise<void> {
  const target = await serverBehind(command, options, `${shell.name} bridge`);
  const stopped = stopSignal();
  await checkGiven(options, shell);
  const place = await joinSpace(options, { name: options.name ?? target.name }, shell);
  const { participant } = place;
  const log = (line: string): void => shell.tell(`proffer bridge: ${visibleLine(line)}`);
  participant.on('error', (error) => log(error instanceof Error ? error.message : String(error)));
  try {
    await reportLostCalls(participant, createProposalArchive(place.access));
    const bridging = await start(target, { participant, log, trustsHints: options.trustHints === true });
    shell.tell(
      `proffer bridge: ${visible(participant.name)} serves its ${bridging.lists.join(', ')} in ${visible(place.access.space)}. Ctrl-C stops it.`,
      `proffer bridge: to approve, in a terminal:  ${place.inbox}`,
    );
    const ended = await Promise.race([stopped, participant.closed]);
    await bridging.close();
    if (ended !== undefined) throw connectionOver(ended);
  } finally {
    await participant.close();
    await place.close();
  }
}

async function start(
  { name, about, open, isProcess }: ServerTarget,
  options: Pick<BridgeOptions, 'participant' | 'log' | 'trustsHints'>,
): Promise<Bridge> {
  const called = isProcess ? `${name} (${about})` : about;
  try {
    return await Bridge.start({ ...options, openServer: open, name: called, isRemote: !isProcess });
  } catch (error) {
    throw isProcess ? cannotStart(about, error) : cannotReach(about, error);
  }
}
