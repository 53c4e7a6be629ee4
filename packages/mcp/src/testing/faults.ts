import type { Participant } from '@proffer/client';
import type { JsonObject } from '@proffer/core/json';
import type { JsonRpcChannel } from '../channel/channel.js';
import { answeredId } from '../json-rpc.js';

/** The points in the life of an asked call, in order. */
export const FAULT_POINTS = [
  'proposal stored',
  'progress sent',
  'fulfilment received',
  'before the server is called',
  'after the server is called',
  'after the server answered',
  'before the answer is sent',
  'after the answer is sent',
] as const;

export type FaultPoint = (typeof FAULT_POINTS)[number];

/** The parts of a guard, with a point at which its process ends as if the power had failed. */
export interface Faults {
  readonly participant: Participant;
  readonly front: (channel: JsonRpcChannel) => JsonRpcChannel;
  readonly back: (channel: JsonRpcChannel) => JsonRpcChannel;
}

/** One of those points, in a call with a given text in its arguments. */
export interface Fault {
  readonly point: FaultPoint;
  readonly text: string;
}

/**
 * The parts of a guard whose process ends at that point. Progress belongs to the call if its token is the
 * text.
 */
export function faultsAt(fault: Fault | undefined, participant: Participant): Faults {
  const reach = (point: FaultPoint): void => {
    if (point === fault?.point) process.kill(process.pid, 'SIGKILL');
  };
  const isMeant = (value: unknown): boolean =>
    fault !== undefined && (JSON.stringify(value) ?? '').includes(JSON.stringify(fault.text));
  const asked = new Set<unknown>();
  const ran = new Set<unknown>();
  const isCall = ({ method, params }: JsonObject): boolean => method === 'tools/call' && isMeant(params);
  return {
    participant: watchParticipant(participant, isMeant, reach),
    front: (channel) => ({
      ...channel,
      open: (events) =>
        channel.open({
          ...events,
          onMessage(message, text) {
            if (isCall(message)) asked.add(message['id']);
            events.onMessage(message, text);
          },
        }),
      send(message, text) {
        const isAnswer = asked.has(answeredId(message));
        if (isAnswer) reach('before the answer is sent');
        const isTaken = channel.send(message, text);
        if (isAnswer) reach('after the answer is sent');
        if (message['method'] === 'notifications/progress' && isMeant(message)) reach('progress sent');
        return isTaken;
      },
    }),
    back: (channel) => ({
      ...channel,
      open: (events) =>
        channel.open({
          ...events,
          onMessage(message, text) {
            if (ran.has(answeredId(message))) reach('after the server answered');
            events.onMessage(message, text);
          },
        }),
      send(message, text) {
        if (!isCall(message)) return channel.send(message, text);
        reach('before the server is called');
        ran.add(message['id']);
        const isTaken = channel.send(message, text);
        reach('after the server is called');
        return isTaken;
      },
    }),
  };
}

function watchParticipant(
  participant: Participant,
  isMeant: (value: unknown) => boolean,
  reach: (point: FaultPoint) => void,
): Participant {
  const propose = participant.propose.bind(participant);
  const serve = participant.serve.bind(participant);
  return Object.assign(participant, {
    propose(...args: Parameters<Participant['propose']>) {
      const proposal = propose(...args);
      const stored = (): void => {
        if (isMeant(args)) reach('proposal stored');
      };
      proposal.accepted.then(stored, () => {});
      return proposal;
    },
    serve: (tools: Parameters<Participant['serve']>[0]) =>
      serve(
        tools.map((tool) => ({
          ...tool,
          handler(...args: Parameters<typeof tool.handler>) {
            if (isMeant(args[0])) reach('fulfilment received');
            return tool.handler(...args);
          },
        })),
      ),
  });
}
