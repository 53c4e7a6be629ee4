import { GATEWAY, type Subject, subjectOf } from '@proffer/core';
import { defined, isJsonArray, isJsonObject, type JsonObject } from '@proffer/core/json';
import { definitionDigest, type ShownVersion } from '@proffer/core/operations';
import type { Message } from './connection/message.js';
import { type Member, readMember, type Welcome } from './connection/welcome.js';

/** Who else is in the space, and what they serve. */
export class Participants {
  #members = new Map<string, Member>();

  list(): readonly Member[] {
    return [...this.#members.values()];
  }

  /** The participants that serve a tool, prompt or resource (O-26). */
  servedBy({ list, name }: Subject): readonly string[] {
    const key = list === 'resources' ? 'uri' : 'name';
    return this.list()
      .filter(({ serves }) => {
        const definitions = serves?.[list];
        return (
          isJsonArray(definitions) && definitions.some((each) => isJsonObject(each) && each[key] === name)
        );
      })
      .map(({ id }) => id);
  }

  /** Who would run a call, if that is clear, and the digest of its announcement. */
  readonly shownOf = (
    method: string,
    params: JsonObject | undefined,
  ): Pick<ShownVersion, 'executor' | 'definition'> => {
    const subject = subjectOf(method, params);
    const [executor, ...others] = subject === undefined ? [] : this.servedBy(subject);
    if (subject === undefined || executor === undefined || others.length > 0) return {};
    const definitions = this.#members.get(executor)?.serves[subject.list];
    const key = subject.list === 'resources' ? 'uri' : 'name';
    const found = isJsonArray(definitions)
      ? definitions.find((each) => isJsonObject(each) && each[key] === subject.name)
      : undefined;
    const definition = isJsonObject(found) ? definitionDigest(found) : undefined;
    return { executor, ...defined({ definition }) };
  };

  begin({ participants }: Welcome): void {
    this.#members = new Map(participants.map((member) => [member.id, member]));
  }

  /** Tracks who joins and leaves, and what participants announce (O-26). */
  take({ kind, from, payload }: Message): void {
    if (kind === 'system.presence' && from === GATEWAY) {
      const member = readMember(payload['participant']);
      if (payload['event'] === 'leave') this.#members.delete(member.id);
      else if (payload['event'] === 'join') this.#members.set(member.id, member);
    } else if (kind.startsWith('mcpx.announce.')) {
      const member = this.#members.get(from);
      if (member !== undefined)
        this.#members.set(from, { ...member, serves: { ...member.serves, ...payload } });
    }
  }
}
