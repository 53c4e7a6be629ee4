import type { JsonObject } from '../../../json/json.js';
import type { ModeDescriptor } from '../../mode-descriptors/descriptor.js';
import type { MacpEnvelope } from '../../wire/macp-envelope.js';
import { opaquePayload } from '../../wire/opaque-payload.js';
import { COMMON_READERS } from '../../wire/payloads.js';
import {
  checkSender as checkAuthority,
  describeNames,
  explainAuthority,
  namesTakingPart,
  takesPart,
} from '../authority.js';
import { type ServedMode, serveMode } from '../create-modes.js';
import { checkOutcome, type Eligibility } from '../eligibility.js';
import type { Mode, ModeMessage } from '../mode.js';
import { DECLARED_POLICIES, type DeclaredRules } from './policies.js';

/** The messages of a registered mode: what they mean is between the participants. */
type DeclaredPayloads = { readonly [Type: string]: JsonObject };

/** The state of a session in a registered mode. */
type Declared = {
  /** How many messages were accepted after the start. */
  readonly messages: number;
  /** The message that ended it; there is never a second one (I-2). */
  readonly ended?: { readonly by: string; readonly message_type: string };
};

const served = new WeakMap<ModeDescriptor, ServedMode>();

/**
 * A mode that only its descriptor defines (N-31): participants send the messages that it lists, in any order, and a
 * terminal one ends the session. One object for each descriptor.
 */
export function declaredMode(descriptor: ModeDescriptor): ServedMode {
  const known = served.get(descriptor);
  if (known !== undefined) return known;
  const mode = serveMode(describeAsMode(descriptor));
  served.set(descriptor, mode);
  return mode;
}

/** The messages that end a session. A Commitment does so in every mode that has it. */
function terminalTypesOf(descriptor: ModeDescriptor): readonly string[] {
  const { message_types, terminal_message_types } = descriptor;
  return message_types.filter((type) => type === COMMITMENT || terminal_message_types.includes(type));
}

const COMMITMENT = 'Commitment';

function describeAsMode(descriptor: ModeDescriptor): Mode<Declared, DeclaredPayloads, DeclaredRules> {
  const terminal = terminalTypesOf(descriptor);
  const own = descriptor.message_types.filter((type) => !Object.hasOwn(COMMON_READERS, type));
  return {
    descriptor: { ...descriptor, terminal_message_types: terminal },
    readers: Object.fromEntries(own.map((type) => [type, opaquePayload])),
    policies: DECLARED_POLICIES,
    initial: { messages: 0 },
    checkTerms: () => undefined,
    namesTakingPart,
    takesPart,
    checkSender(terms, envelope) {
      const isEnding = terminal.includes(envelope.message_type);
      // Whoever may commit may end it.
      return checkAuthority(terms, isEnding ? { ...envelope, message_type: COMMITMENT } : envelope);
    },
    check: (_state, _terms, message) =>
      isCommitmentOf(message) ? checkOutcome(explain(message.sender), message.payload) : undefined,
    apply: ({ messages }, _terms, { sender, message_type }: MacpEnvelope) =>
      terminal.includes(message_type)
        ? { messages: messages + 1, ended: { by: sender, message_type } }
        : { messages: messages + 1 },
    checkOpen: () => undefined,
    explain: (_state, terms, committer) => explainAuthority(explain(committer), terms),
    encode: (state) => state,
    // Encoded above.
    decode: (json) => json as unknown as Declared,
  };

  function explain(committer: string): Eligibility {
    const mayBeCommitted = terminal.includes(COMMITMENT);
    const endings = terminal.length === 0 ? 'no message' : describeNames(terminal);
    return {
      committer,
      outcomes: mayBeCommitted ? ['positive', 'negative'] : [],
      reasons: [`In ${descriptor.mode}, ${endings} ends a session.`],
    };
  }
}

type CommitmentOf = ModeMessage<DeclaredPayloads> & {
  readonly payload: { readonly outcome_positive: boolean };
};

function isCommitmentOf(message: ModeMessage<DeclaredPayloads>): message is CommitmentOf {
  return message.message_type === COMMITMENT;
}
