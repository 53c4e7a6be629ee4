import { randomUUID } from 'node:crypto';
import { type Envelope, GATEWAY, PROTOCOL, type Result } from '@proffer/core';
import { defined, type JsonObject } from '@proffer/core/json';
import {
  type Invited,
  type MemberView,
  type ParticipantRights,
  type PresenceEvent,
  type Proposal,
  presencePayload,
  seesProposal,
  welcomePayload,
} from '@proffer/core/operations';
import {
  deliverMessage,
  type FanOut,
  type Following,
  readsStreams,
  type Streams,
} from '../delivery/index.js';
import type { RemoteMember, RemoteParticipant } from '../peers/index.js';
import type { LiveSpaceOptions } from './live-space.js';
import type { ServingConnections } from './serving.js';
import type { SpaceHost } from './space-host.js';

/** A participant that connects. */
export interface Entering {
  readonly name: string;
  /** The caller's current rights. */
  readonly rights: () => Result<ParticipantRights>;
}

/** A participant's current rights; `undefined` if its credential is no longer valid. */
function rightsNow({ rights }: Entering): ParticipantRights | undefined {
  const current = rights();
  return current.ok ? current.value : undefined;
}

/** Who is in a space, here and at other gateways, and the presence messages about it. */
export interface Attendance {
  /** One more connection of a participant. The first one is announced. */
  join(entering: Entering): MemberView;
  /** One connection less. */
  leave(name: string): void;
  /** A participant's absence starts to count. */
  gone(name: string): void;
  /** Adds a participant that is connected to another gateway: it counts as connected here. */
  admit(member: RemoteMember): RemoteParticipant;
  /** Somebody was invited: everyone is told (O-51). */
  invited(record: Invited): void;
  /** The welcome for a participant that connects (O-27). */
  welcome(following: Following, member: MemberView): void;
  /** Mew clients know what they may do from a welcome alone: they get another one when that changes (O-41). */
  welcomeAgain(name: string): void;
}

export interface AttendanceOptions
  extends Pick<LiveSpaceOptions, 'clock' | 'peers' | 'journal'>,
    Partial<Pick<LiveSpaceOptions, 'rightsByName'>> {
  readonly host: SpaceHost;
  readonly fanOut: FanOut;
  readonly streams: Streams;
  readonly serving: ServingConnections;
}

export function createAttendance(options: AttendanceOptions): Attendance {
  const { host, fanOut, streams, serving, peers, clock } = options;
  const members = new Map<string, MemberView>();
  const kept = defined({ durability: options.journal.durability });

  function say(kind: string, payload: JsonObject): Envelope {
    const ts = new Date(clock()).toISOString();
    return { protocol: PROTOCOL, id: randomUUID(), ts, from: GATEWAY, kind, payload };
  }

  function announce(event: PresenceEvent, member: MemberView): void {
    fanOut.announce(say('system.presence', presencePayload(host.state, event, member)), member.name);
  }

  function others(name: string): readonly MemberView[] {
    return host.presence
      .names()
      .filter((other) => other !== name)
      .map((other) => members.get(other) ?? { name: other, capabilities: [] });
  }

  return {
    join(entering) {
      const { name } = entering;
      const current = rightsNow(entering);
      const member = { name, capabilities: current?.capabilities.sources ?? [] };
      members.set(name, member);
      const isNew = host.presence.join(name, () => rightsNow(entering));
      if (isNew) announce('join', member);
      peers?.entered(name, current);
      return member;
    },
    leave(name) {
      host.presence.leave(name);
      peers?.left(name);
    },
    gone(name) {
      const member = members.get(name) ?? { name, capabilities: [] };
      members.delete(name);
      announce('leave', member);
    },
    admit(remote) {
      const { name } = remote;
      const served = serving.elsewhere(name);
      const opened = streams.elsewhere();
      let { rights } = remote;
      const update = (told: RemoteMember): MemberView => {
        rights = told.rights;
        served.update(told.serves);
        const member = { name, capabilities: rights.capabilities.sources };
        members.set(name, member);
        return member;
      };
      const member = update(remote);
      // The other gateway's message is from an earlier moment: the configuration here may have been reloaded since
      // (I-4).
      const current = () => options.rightsByName?.(name) ?? rights;
      if (host.presence.join(name, current)) announce('join', member);
      host.dependents.about(name);
      opened.update(remote.streams ?? []);
      return {
        update(told) {
          update(told);
          opened.update(told.streams ?? []);
        },
        leave() {
          served.end();
          opened.end();
          host.presence.leave(name);
        },
      };
    },
    invited({ facts: { participant: name, invitation } }) {
      if (invitation !== undefined) announce('invited', { name, capabilities: invitation.capabilities });
    },
    welcome(following, member) {
      const { name } = member;
      const sees = (proposal: Proposal) => seesProposal(proposal, following, host.settings);
      const view = (proposal: Proposal) => host.view(proposal);
      const around = { others: others(name), seq: fanOut.seq, now: clock(), sees, view };
      const payload = welcomePayload(host.state, member, around);
      const active = readsStreams(following) ? { active_streams: streams.seenBy(following) } : {};
      deliverMessage(following, { ...say('system.welcome', { ...payload, ...kept, ...active }), to: [name] });
    },
    welcomeAgain(name) {
      const member = members.get(name);
      if (member === undefined) return;
      const around = { others: others(name), seq: fanOut.seq, now: clock() };
      const payload = welcomePayload(host.state, member, around);
      for (const each of fanOut.connectionsOf(name)) {
        if (!readsStreams(each)) continue;
        const active = { active_streams: streams.seenBy(each) };
        fanOut.tell(each, { ...say('system.welcome', { ...payload, ...kept, ...active }), to: [name] });
      }
    },
  };
}
