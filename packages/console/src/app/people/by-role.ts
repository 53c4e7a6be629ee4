import type { Member } from '@proffer/client';
import { ROLES, type RoleName, roleOf } from '@proffer/core/words';

/** Participants of one role who may do exactly the same. */
export interface RoleGroup {
  readonly role: RoleName;
  readonly capabilities: Member['capabilities'];
  readonly members: readonly Member[];
}

/** Participants by role, and by what exactly they may do; those who may do most first. */
export function byRole(members: readonly Member[]): readonly RoleGroup[] {
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
