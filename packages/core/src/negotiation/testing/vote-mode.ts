import { VersionedMap } from '../../collections/versioned-map.js';
import { refuse } from '../../refusal/refusal.js';
import {
  type CommitmentRules,
  checkSender,
  commitmentRules,
  explainAuthority,
  namesTakingPart,
  takesPart,
} from '../modes/authority.js';
import { createModes, type ServedMode } from '../modes/create-modes.js';
import type { Eligibility, NegotiationOutcome } from '../modes/eligibility.js';
import { decodeMap, encodeMap } from '../modes/encode-map.js';
import type { Mode, ModeMessage } from '../modes/mode.js';
import { MODES } from '../modes/registry.js';
import type { Terms } from '../modes/terms.js';
import { readRules, section } from '../policy/rule-sections.js';
import { bytes, filledText, flag, messageOf, wholeNumber } from '../wire/readers.js';
import { isCommitment } from '../wire/session-messages.js';

/** Its name. */
export const VOTE_MODE = 'macp.mode.vote.v1';

type VotePayloads = {
  /** Named like a message of Proposal Mode, with other fields. */
  readonly Accept: { readonly choice: string; readonly weight: number };
  readonly Abstain: { readonly for_good: boolean; readonly note: string };
};

type VoteRules = {
  readonly quorum: { readonly votes: number };
  readonly commitment: CommitmentRules;
};

type Ballot = { readonly choice: string; readonly weight: number };
type Votes = { readonly ballots: VersionedMap<Ballot>; readonly isOver: boolean };

const DEFAULT_RULES: VoteRules = {
  quorum: { votes: 2 },
  commitment: { authority: 'initiator_only', designated_roles: [] },
};

const rules = section<VoteRules>(DEFAULT_RULES, {
  quorum: section(DEFAULT_RULES.quorum, { votes: wholeNumber(1, 1000) }),
  commitment: commitmentRules,
});

/**
 * An unsupported mode: everyone votes, and it is committed when enough have voted. It does not
 * describe its messages.
 */
export const voteMode: Mode<Votes, VotePayloads, VoteRules> = {
  descriptor: {
    mode: VOTE_MODE,
    mode_version: '1.0.0',
    title: 'Vote Mode',
    description: 'Participants vote until there are enough for one choice.',
    determinism_class: 'semantic-deterministic',
    participant_model: 'peer',
    message_types: ['SessionStart', 'Accept', 'Abstain', 'Commitment'],
    terminal_message_types: ['Commitment'],
    schema_uris: {},
  },
  readers: {
    Accept: messageOf<VotePayloads['Accept']>({ choice: filledText, weight: wholeNumber(0, 9) }),
    Abstain: messageOf<VotePayloads['Abstain']>({ for_good: flag, note: bytes }),
  },
  policies: {
    builtIn: new Map([
      ['policy.default', { id: 'policy.default', description: 'Two votes.', rules: DEFAULT_RULES }],
    ]),
    parse: (value) => readRules(rules, value),
  },
  initial: { ballots: VersionedMap.empty(), isOver: false },
  checkTerms: () => undefined,
  namesTakingPart,
  takesPart,
  checkSender,
  check(state, terms, message) {
    if (!isCommitment(message)) return undefined;
    const wanted = message.payload.outcome_positive ? 'positive' : 'negative';
    const { outcomes, reasons } = explain(state, terms, message.sender);
    return outcomes.includes(wanted) ? undefined : refuse('INVALID_ENVELOPE', reasons.join(' '));
  },
  apply(state, _terms, message: ModeMessage<VotePayloads>) {
    switch (message.message_type) {
      case 'Accept':
        return { ...state, ballots: state.ballots.set(message.sender, message.payload) };
      case 'Abstain':
        return { ...state, ballots: state.ballots.delete(message.sender) };
      case 'Commitment':
        return { ...state, isOver: true };
    }
  },
  checkOpen: () => undefined,
  explain: (state, terms, committer) => explainAuthority(explain(state, terms, committer), terms),
  encode: ({ ballots, isOver }) => ({ ballots: encodeMap(ballots), isOver }),
  decode: (json) => ({
    ballots: decodeMap(json['ballots'] as readonly (readonly [string, Ballot])[]),
    isOver: json['isOver'] === true,
  }),
};

const BOTH: readonly NegotiationOutcome[] = ['positive', 'negative'];

function explain(
  { ballots }: Votes,
  { rules: { quorum } }: Terms<VoteRules>,
  committer: string,
): Eligibility {
  const isReached = ballots.size >= quorum.votes;
  return {
    committer,
    outcomes: isReached ? BOTH : [],
    reasons: [`${ballots.size} of ${quorum.votes} votes are cast.`],
  };
}

/** Adds it to the supported modes; the returned function removes it. */
export function serveVotes(): () => void {
  // The only list of modes; only a test adds to it.
  const modes = MODES as Map<string, ServedMode>;
  const [served] = createModes([voteMode]).values();
  if (served !== undefined) modes.set(VOTE_MODE, served);
  return () => void modes.delete(VOTE_MODE);
}
