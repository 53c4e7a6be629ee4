import type { Member, Participant } from '@proffer/client';
import { type JsonObject, objectsIn } from '@proffer/core/json';
import { type Proposal } from '@proffer/core/operations';

/** A tool, prompt or resource as served by someone who is here. */
export interface Served {
  readonly by: string;
  readonly definition: JsonObject;
}

/** Members that serve what a proposal is about, in alphabetical order. */
export function serversOf(
  { subject }: Pick<Proposal, 'subject'>,
  { participants, welcome }: Pick<Participant, 'participants' | 'welcome'>,
): readonly Served[] {
  if (subject === undefined) return [];
  const { list, name } = subject;
  const key = list === 'resources' ? 'uri' : 'name';
  return [...participants, welcome.you]
    .flatMap((member) =>
      definitionsOf(member, list).map((definition) => ({ by: member.id, definition }) satisfies Served),
    )
    .filter(({ definition }) => definition[key] === name)
    .sort((left, right) => (left.by < right.by ? -1 : 1));
}

/** Whether nobody could run a proposal if it were approved now: an approval would be refused. */
export function isUnserved(
  { subject, executor }: Pick<Proposal, 'subject' | 'executor'>,
  servers: readonly Served[],
): boolean {
  return subject !== undefined && executor === undefined && servers.length === 0;
}

/** What a member announced. */
export function definitionsOf({ serves }: Pick<Member, 'serves'>, list: string): readonly JsonObject[] {
  const served = serves[list];
  return objectsIn(served);
}

/** A text field of a definition; `undefined` if it is missing or not text. */
export function textAt(definition: JsonObject | undefined, key: string): string | undefined {
  const value = definition?.[key];
  return typeof value === 'string' ? value : undefined;
}

/** What a proposal asks for: the name of its tool, prompt or resource, else its method. */
export function nameOf({ subject, method }: Pick<Proposal, 'subject' | 'method'>): string {
  return subject?.name ?? method;
}

/** The params of a call with other arguments, everything else as it was. */
export function withArguments(params: JsonObject | undefined, given: JsonObject): JsonObject {
  return { ...params, arguments: given };
}
