import { VersionedMap } from '../../collections/versioned-map.js';
import type { JsonObject } from '../../json/json.js';
import type { ParticipantState } from '../participant.js';
import type { Pause } from '../pause/pause.js';
import type { SpaceSettings } from '../settings.js';
import { linkGrants, relinkDelegate } from '../space/links.js';
import type { RememberedMessage } from '../space/recent-ids.js';
import { emptySpace, recallProposal, type SpaceState } from '../space/space.js';
import { decodeProposal } from './decode-proposal.js';
import type { SeenPart, SpacePart } from './space-part.js';

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
