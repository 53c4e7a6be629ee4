import { compileCapabilities } from '@proffer/core/capability';
import type { JsonObject } from '@proffer/core/json';
import type { ParticipantRights } from '@proffer/core/operations';
import { encodeMember, type RemoteMember, type SharedStream } from './member.js';

/** What a space tells the other gateways about local connections. */
export interface SpaceMembers {
  /**
   * One more connection. Without rights its credential was revoked while it connected; it still counts.
   */
  entered(name: string, rights: ParticipantRights | undefined): void;
  left(name: string): void;
  /** The process through which a participant serves here, empty if unknown; absent: it no longer does. */
  serves(name: string, instance: string | undefined): void;
  /**
   * A participant's open streams on local connections, and those that have just ended. `sent` is read again for every
   * report, so for an open stream it must be the current number.
   */
  streams(name: string, streams: readonly SharedStream[]): void;
}

/** Participants connected to this gateway, as reported to the others. */
export interface OwnMembers {
  in(space: string): SpaceMembers;
  /** Lists everyone, for a gateway that is new or missed something. */
  nameAll(): void;
  /** Counts changes: a gateway with a lower count has missed one. */
  readonly version: number;
}

/** Members are listed in messages of about this many characters: NATS accepts a million by default. */
const PART = 131_072;

const NOTHING_GRANTED: ParticipantRights = { capabilities: compileCapabilities([]) };

export function createOwnMembers(tell: (type: string, fields?: JsonObject) => void): OwnMembers {
  const own = new Map<string, { member: RemoteMember; connections: number }>();
  let version = 0;

  function change(fields: JsonObject): void {
    version++;
    tell('change', { version, ...fields });
  }

  /** @param told - what the others are told once, if that is more than what stays */
  function update(key: string, changed: Partial<RemoteMember>, told: Partial<RemoteMember> = changed): void {
    const known = own.get(key);
    if (known === undefined) return;
    const before = JSON.stringify(encodeMember(known.member));
    const member = encodeMember({ ...known.member, ...told });
    known.member = { ...known.member, ...changed };
    if (JSON.stringify(member) !== before) change({ member });
  }

  return {
    get version() {
      return version;
    },
    nameAll() {
      tell('begin', { version });
      let members: JsonObject[] = [];
      let size = 0;
      const tellMembers = (): void => {
        if (members.length > 0) tell('members', { version, members });
        members = [];
        size = 0;
      };
      for (const { member } of own.values()) {
        const encoded = encodeMember(member);
        members.push(encoded);
        size += JSON.stringify(encoded).length;
        if (size >= PART) tellMembers();
      }
      tellMembers();
      tell('end', { version });
    },
    in(space) {
      const keyOf = (name: string): string => `${space}/${name}`;
      return {
        entered(name, rights) {
          const known = own.get(keyOf(name));
          if (known !== undefined) {
            known.connections++;
            if (rights !== undefined) update(keyOf(name), { rights });
            return;
          }
          const member = { space, name, rights: rights ?? NOTHING_GRANTED };
          own.set(keyOf(name), { member, connections: 1 });
          change({ member: encodeMember(member) });
        },
        left(name) {
          const known = own.get(keyOf(name));
          if (known === undefined || --known.connections > 0) return;
          own.delete(keyOf(name));
          change({ left: { space, name } });
        },
        serves: (name, serves) => update(keyOf(name), { serves }),
        streams(name, streams) {
          const open = streams.filter(({ closed, changed }) => closed === undefined && changed === undefined);
          update(keyOf(name), { streams: open }, { streams });
        },
      };
    },
  };
}
