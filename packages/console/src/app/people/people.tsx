import type { Member } from '@proffer/client';
import { describeCapability, ROLES, type RoleName, roleOf } from '@proffer/core/words';
import type { ViewProps } from '../shell/on-demand.js';
import { PauseSwitch } from '../shell/pause-banner.js';
import { definitionsOf, textAt } from '../space/tools.js';
import { useStore } from '../state/store.js';
import { Marked } from '../text/marked.js';
import { count } from '../text/words.js';
import { Delegations } from './delegations.js';
import { Grants } from './grants.js';
import { Keys } from './keys.js';

const LISTS = ['tools', 'prompts', 'resources'] as const;

/** Who is here, what they may do and serve, temporary grants, and delegations. */
export function People({ space }: ViewProps) {
  useStore(space.changes);
  const { participants, welcome } = space.participant;
  const others = [...participants].sort((left, right) => (left.id < right.id ? -1 : 1));
  return (
    <div class="page">
      <header class="page-head">
        <h1>People</h1>
        <p class="dim">
          {count(others.length + 1, 'participant is', 'participants are')} connected to {space.name}.
        </p>
        <PauseSwitch space={space} />
      </header>
      <Grants space={space} />
      <Delegations space={space} />
      <Keys space={space} />
      {byRole([welcome.you, ...others]).map((group) => (
        <Role key={group.members[0]?.id} group={group} me={space.me} />
      ))}
    </div>
  );
}

/** Everyone who may do the same: what that is, once, and who they are. */
function Role({
  group: { role, capabilities, members },
  me,
}: {
  readonly group: RoleGroup;
  readonly me: string;
}) {
  const { title, may } = ROLES[role];
  return (
    <section class="box role">
      <h2>
        <span>
          {title} <span class="dim">· {members.length.toLocaleString()}</span>
        </span>
      </h2>
      {role === 'operator' || role === 'observer' ? (
        <p class="may dim">They {may}.</p>
      ) : (
        <details class="may dim">
          <summary>
            They {may}. What exactly they may do ({capabilities.length.toLocaleString()})
          </summary>
          <Capabilities of={capabilities} />
        </details>
      )}
      <ul>
        {members.map((member) => (
          <Person key={member.id} member={member} isMe={member.id === me} />
        ))}
      </ul>
    </section>
  );
}

function Capabilities({ of }: { readonly of: Member['capabilities'] }) {
  return (
    <span class="capabilities">
      {of.map((capability) => (
        <span key={JSON.stringify(capability)}>
          {describeCapability(capability)} <code>{textOf(capability)}</code>
        </span>
      ))}
    </span>
  );
}

function Person({ member, isMe }: { readonly member: Member; readonly isMe: boolean }) {
  const served = LISTS.flatMap((list) => {
    const key = list === 'resources' ? 'uri' : 'name';
    const names = definitionsOf(member, list).flatMap((definition) => textAt(definition, key) ?? []);
    return names.length === 0 ? [] : [{ list, names }];
  });
  return (
    <li class="person">
      <span class="avatar" aria-hidden="true">
        {String.fromCodePoint(member.id.codePointAt(0) ?? 0).toUpperCase()}
      </span>
      <b>
        <Marked text={member.id} />
      </b>
      {isMe && <span class="dim">(you)</span>}
      {served.map(({ list, names }) => (
        <span key={list} class="chips">
          <span class="dim">Serves {list}</span>
          {names.map((name) => (
            <code key={name}>
              <Marked text={name} />
            </code>
          ))}
        </span>
      ))}
    </li>
  );
}

function textOf(capability: Member['capabilities'][number]): string {
  return typeof capability === 'string' ? capability : JSON.stringify(capability);
}

/** Participants of one role who may do exactly the same. */
interface RoleGroup {
  readonly role: RoleName;
  readonly capabilities: Member['capabilities'];
  readonly members: readonly Member[];
}

/** Participants by role, and by what exactly they may do; those who may do most first. */
function byRole(members: readonly Member[]): readonly RoleGroup[] {
  const groups = new Map<string, RoleGroup & { readonly members: Member[] }>();
  for (const member of members) {
    const { capabilities } = member;
    const key = JSON.stringify(capabilities.map((each) => JSON.stringify(each)).sort());
    const group = groups.get(key) ?? { role: roleOf(capabilities), capabilities, members: [] };
    group.members.push(member);
    groups.set(key, group);
  }
  const order = Object.keys(ROLES);
  return [...groups.values()].sort((left, right) => order.indexOf(left.role) - order.indexOf(right.role));
}
