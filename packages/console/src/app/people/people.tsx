import type { Member } from '@proffer/client';
import { describeCapability } from '@proffer/core/words';
import type { ViewProps } from '../shell/on-demand.js';
import { PauseSwitch } from '../shell/pause-banner.js';
import { definitionsOf, textAt } from '../space/tools.js';
import { useStore } from '../state/store.js';
import { Marked } from '../text/marked.js';
import { count } from '../text/words.js';
import { Delegations } from './delegations.js';
import { Figures } from './figures.js';
import { Grants } from './grants.js';

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
      <ul class="people">
        <Person member={welcome.you} isMe />
        {others.map((member) => (
          <Person key={member.id} member={member} isMe={false} />
        ))}
      </ul>
      <Figures space={space} />
    </div>
  );
}

function Person({ member, isMe }: { readonly member: Member; readonly isMe: boolean }) {
  const served = LISTS.flatMap((list) => {
    const key = list === 'resources' ? 'uri' : 'name';
    const names = definitionsOf(member, list).flatMap((definition) => textAt(definition, key) ?? []);
    return names.length === 0 ? [] : [{ list, names }];
  });
  return (
    <li class="box person">
      <h2>
        <span>
          <span class="avatar" aria-hidden="true">
            {String.fromCodePoint(member.id.codePointAt(0) ?? 0).toUpperCase()}
          </span>
          <Marked text={member.id} />
          {isMe && <span class="dim"> (you)</span>}
        </span>
      </h2>
      <dl class="entries">
        <div class="entry">
          <dt>May</dt>
          <dd>
            {member.capabilities.length === 0 ? (
              <span class="dim">only look</span>
            ) : (
              <ul class="capabilities">
                {member.capabilities.map((capability) => (
                  <li key={JSON.stringify(capability)}>
                    {describeCapability(capability)} <code class="dim">{textOf(capability)}</code>
                  </li>
                ))}
              </ul>
            )}
          </dd>
        </div>
        {served.map(({ list, names }) => (
          <div key={list} class="entry">
            <dt>Serves {list}</dt>
            <dd class="chips">
              {names.map((name) => (
                <code key={name}>
                  <Marked text={name} />
                </code>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </li>
  );
}

function textOf(capability: Member['capabilities'][number]): string {
  return typeof capability === 'string' ? capability : JSON.stringify(capability);
}
