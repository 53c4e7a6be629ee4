import { VersionedMap } from '../../collections/versioned-map.js';
import type { JsonObject } from '../../json/json.js';
import type { ParticipantState } from '../participant.js';
import type { Pause } from '../pause/pause.js';
import type { Proposal, Rejection, Status } from '../proposal/proposal.js';
import type { SpaceSettings } from '../settings.js';
import { linkGrants, relinkDelegate } from '../space/links.js';
import type { RememberedMessage } from '../space/recent-ids.js';
import { emptySpace, recallProposal, type SpaceState } from '../space/space.js';
import type { SeenPart, SpacePart } from './encode-space.js';

/** Reassembles a state from its pieces. */
export interface SpaceDecoder {
  take(part: SpacePart): void;
  end(): SpaceState;
}

/**
 * Starts a state that is reassembled from `encodeSpace`.
 *
 * @param isGone - whether retention has removed a proposal since: it ended meanwhile
 */
export function decodeSpace(settings: SpaceSettings, isGone: (proposal: string) => boolean): SpaceDecoder {
  let space = emptySpace(settings);
  let since = 0;
  const recent = { older: new Map<string, RememberedMessage>(), newer: new Map<string, RememberedMessage>() };
  const past = { older: new Map<string, string>(), newer: new Map<string, string>() };
  const participants = new Map<string, ParticipantState>();
  const proposals: JsonObject[] = [];
  // The same few names occur in very many pieces.
  const names = new Map<string, string>();

  function decodeSeen([, from, fingerprint, stream, version, time, asked]: SeenPart): RememberedMessage {
    const name = names.get(from) ?? from;
    names.set(from, name);
    const seen = { from: name, fingerprint, stream, version, time };
    return asked === undefined ? seen : { ...seen, asked };
  }

  return {
    take(part) {
      switch (part[0]) {
        case 'since':
          since = part[1];
          return;
        case 'recent':
          for (const seen of part[2]) recent[part[1]].set(seen[0], decodeSeen(seen));
          return;
        case 'past':
          for (const [request, proposal] of part[2]) past[part[1]].set(request, proposal);
          return;
        case 'participant': {
          const participant = part[1] as unknown as ParticipantState;
          participants.set(participant.name, participant);
          return;
        }
        case 'servers':
        case 'listers':
          space = { ...space, [part[0]]: VersionedMap.of(part[1]) };
          return;
        case 'pause':
          space = { ...space, pause: part[1] as Pause };
          return;
        case 'proposal':
          proposals.push(part[1]);
          return;
        default:
          throw new Error(`a space has no part ${JSON.stringify((part satisfies never)[0])}`);
      }
    },
    end() {
      space = {
        ...space,
        recent: { older: VersionedMap.owning(recent.older), newer: VersionedMap.owning(recent.newer), since },
        pastFulfilments: {
          older: VersionedMap.owning(past.older),
          newer: VersionedMap.owning(past.newer),
          since,
        },
        participants: VersionedMap.owning(new Map(participants)),
      };
      for (const participant of participants.values()) {
        space = {
          ...space,
          grants: linkGrants(space.grants, participant, undefined),
          delegators: relinkDelegate(space.delegators, participant, undefined),
        };
      }
      for (const json of proposals) {
        const proposal = decodeProposal(json);
        if (!isGone(proposal.id)) space = recallProposal(space, proposal);
      }
      return space;
    },
  };
}

/**
 * Every field, including optional ones: one that is added to a proposal and forgotten here does not
 * compile.
 */
type EveryField = { readonly [Field in keyof Required<Proposal>]: Proposal[Field] };

/** A proposal encoded by `encodeSpace`, with its maps as lists of pairs. */
type Encoded = Omit<Proposal, 'rejections' | 'statuses'> & {
  readonly rejections: readonly (readonly [string, Rejection])[];
  readonly statuses: readonly (readonly [string, Status])[];
};

/** Decodes a proposal. Field by field, in the order of a new proposal: one shape for all. */
function decodeProposal(json: JsonObject): Proposal {
  const from = json as unknown as Encoded;
  const decoded: EveryField = {
    id: from.id,
    version: from.version,
    proposer: from.proposer,
    to: from.to,
    addressees: from.addressees,
    method: from.method,
    params: from.params,
    subject: from.subject,
    executor: from.executor,
    argumentFaults: from.argumentFaults,
    origin: from.origin,
    digest: from.digest,
    fingerprint: from.fingerprint,
    requester: from.requester,
    proposedAt: from.proposedAt,
    expiresAt: from.expiresAt,
    warnAt: from.warnAt,
    escalation: from.escalation,
    targeting: from.targeting,
    answerDueAt: from.answerDueAt,
    dependencies: from.dependencies,
    cleared: from.cleared,
    phase: from.phase,
    opened: from.opened,
    declined: from.declined,
    changedAt: from.changedAt,
    rejections: mapOf(from.rejections),
    statuses: mapOf(from.statuses),
    approvals: from.approvals,
    counters: from.counters,
    agreements: from.agreements,
    escalatedTo: from.escalatedTo,
    delegations: from.delegations,
    signatures: from.signatures,
    newsAt: from.newsAt,
    review: from.review,
    ending: from.ending,
    fulfilment: from.fulfilment,
    outcome: from.outcome,
  };
  return decoded;
}

/** Usually there are none, and then it is the one map that all share. */
function mapOf<Value extends object>(entries: readonly (readonly [string, Value])[]): VersionedMap<Value> {
  return entries.length === 0 ? VersionedMap.empty() : VersionedMap.of(entries);
}
