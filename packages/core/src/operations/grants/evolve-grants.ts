import { type Grant, isInForce, NO_GRANTS } from './grant.js';
import type { Granted, GrantRecord } from './records.js';

/** A participant's grants after a record about one of them. Expired ones are dropped. */
export function evolveGrants(grants: readonly Grant[], record: GrantRecord): readonly Grant[] {
  const next = changed(grants, record).filter((grant) => isInForce(grant, record.time));
  return next.length === 0 ? NO_GRANTS : next;
}

function changed(grants: readonly Grant[], record: GrantRecord): readonly Grant[] {
  if (record.type === 'grant_revoked') {
    const { grants: revoked } = record.facts;
    return grants.filter(({ id }) => !revoked.includes(id));
  }
  const { grant: id } = record.facts;
  const others = grants.filter((grant) => grant.id !== id);
  switch (record.type) {
    case 'granted':
      return [...others, grantOf(record)];
    case 'grant_used': {
      const { left, message, runs } = record.facts;
      const spentOn = runs === true ? message : undefined;
      if (left === 0) return others;
      return grants.map((grant) => (grant.id === id ? { ...grant, left, spentOn } : grant));
    }
    case 'grant_ended':
      return others;
  }
}

function grantOf({ envelope, facts, principal, time }: Granted): Grant {
  const {
    grant: id,
    participant: to,
    capabilities,
    within,
    until,
    uses,
    session,
    subject,
    configured,
  } = facts;
  const { reason } = envelope.payload;
  return {
    id,
    granter: principal,
    to,
    capabilities,
    within,
    ...(until === undefined ? {} : { until }),
    ...(uses === undefined ? {} : { uses, left: uses }),
    ...(session === undefined ? {} : { session }),
    ...(subject === undefined ? {} : { subject }),
    ...(configured === undefined ? {} : { configured }),
    ...(typeof reason === 'string' ? { reason } : {}),
    at: time,
  };
}
