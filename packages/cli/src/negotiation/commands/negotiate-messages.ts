import type { MacpClient, ProposalSession } from '@proffer/client/negotiation';
import { defined } from '@proffer/core/json';
import type { Command } from 'commander';
import type { ExitCode } from '../../command-failure.js';
import { collect } from '../../command-options.js';
import { contentOf } from '../../file-content.js';
import type { Shell } from '../../terminal/shell.js';
import type { AnySession } from '../any-session.js';
import { withNegotiator } from '../negotiator-options.js';
import type { OfferRemark } from '../offer-failure.js';
import type { MessageAction, SendInSessionOptions } from '../send-in-session.js';

interface OfferOptions extends SendInSessionOptions {
  readonly summary?: string;
  readonly details?: string;
  readonly tag?: readonly string[];
}

interface RemarkOptions extends SendInSessionOptions {
  readonly reason?: string;
  readonly terminal?: boolean;
}

interface CommitOptions extends SendInSessionOptions {
  readonly action: string;
  readonly scope?: string;
  /** The offer with the call to run. */
  readonly call?: string;
  readonly reason: string;
  readonly negative?: boolean;
}

/** `proffer negotiate propose|counter|accept|reject|withdraw|commit|send`: the messages of a session. */
export function addMessages(negotiate: Command, shell: Shell, done: (code: ExitCode) => void): void {
  offering(negotiate, 'propose', 'Make an offer')
    .argument('<offer>', 'an id that is new in the session')
    .argument('<title>', 'its title')
    .option('--tag <word>', 'a tag; may be repeated', collect)
    .action(async (session: string, offer: string, title: string, options: OfferOptions) => {
      const said = { ...wordsIn(options), ...defined({ tags: options.tag }) };
      done(
        await offerIn(session, options, shell, {
          say: (one, by) => one.propose(offer, title, { ...said, ...by }),
          about: { command: 'propose', offer, isNew: true },
        }),
      );
    });

  offering(negotiate, 'counter', 'Make a counter-offer')
    .argument('<offer>', 'an id that is new in the session')
    .argument('<countered>', 'the offer that this one counters')
    .argument('<title>', 'its title')
    .action(async (session: string, offer: string, instead: string, title: string, options: OfferOptions) => {
      const said = wordsIn(options);
      done(
        await offerIn(session, options, shell, {
          say: (one, by) => one.counterPropose(offer, instead, title, { ...said, ...by }),
          about: { command: 'counter', offer, isNew: true, counters: instead },
        }),
      );
    });

  const remarks = [
    ['accept', 'Accept an offer, replacing any you accepted before'],
    ['withdraw', 'Withdraw an offer'],
  ] as const;
  for (const [command, description] of remarks) {
    remark(negotiate, command, description).action(
      async (session: string, offer: string, options: RemarkOptions) =>
        done(
          await offerIn(session, options, shell, {
            say: (one, by) => one[command](offer, { ...reasonIn(options), ...by }),
            about: { command, offer },
          }),
        ),
    );
  }

  remark(negotiate, 'reject', 'Reject an offer')
    .option('--terminal', 'reject it for good: no further negotiation')
    .action(async (session: string, offer: string, options: RemarkOptions) => {
      const said = { ...reasonIn(options), terminal: options.terminal === true };
      done(
        await offerIn(session, options, shell, {
          say: (one, by) => one.reject(offer, { ...said, ...by }),
          about: { command: 'reject', offer },
        }),
      );
    });

  speaking(negotiate, 'commit', 'Commit the outcome and end the session')
    .requiredOption('--action <name>', 'what is agreed, such as contract.agreed')
    .option('--scope <name>', 'the authority it rests on, such as procurement')
    .option('--call <offer>', 'instead of --scope: the offer whose call is agreed on, and may run')
    .requiredOption('-r, --reason <text>', 'why')
    .option('--negative', 'commit without an agreement')
    .action(async (session: string, options: CommitOptions) => {
      const { action, reason, negative } = options;
      const { scopeIn } = await import('../attached-call.js');
      const outcome = { action, reason, outcomePositive: negative !== true };
      const say = (one: AnySession, by: MessageSender) =>
        one.commit({ ...outcome, authorityScope: scopeIn(one, options), ...by });
      const { joinAny } = await import('../any-session.js');
      const { explainCommit } = await import('../commit-failure.js');
      const { sendInSession } = await import('../send-in-session.js');
      done(await sendInSession(session, options, shell, { join: joinAny, say, explain: explainCommit }));
    });

  speaking(negotiate, 'send', 'Send any message of the session’s mode')
    .argument('<type>', 'the type of the message, such as Vote')
    .argument('[fields...]', 'its fields as name=value (name=@FILE reads a file), or one JSON object')
    .addHelpText(
      'after',
      `
Examples:
  ${shell.name} negotiate send SESSION Vote proposal_id=p1 vote=APPROVE
  ${shell.name} negotiate send SESSION HandoffContext handoff_id=h1 context=@notes.md
  ${shell.name} negotiate modes decision   # the messages of a mode, and their fields`,
    )
    .action(
      async (session: string, type: string, fields: readonly string[], options: SendInSessionOptions) => {
        const { sayFields, explainFields } = await import('../message-fields.js');
        const { joinAny } = await import('../any-session.js');
        const { sendInSession } = await import('../send-in-session.js');
        const say = (one: AnySession, by: MessageSender) => sayFields(one, type, fields, by);
        const explain = explainFields(type, options);
        done(await sendInSession(session, options, shell, { join: joinAny, say, explain }));
      },
    );

  negotiate
    .command('modes')
    .argument('[mode]', 'a mode, such as decision (default: all)')
    .description('Show the modes, the messages of each, and what each message needs')
    .option('--json', 'print JSON')
    .action(async (mode: string | undefined, options: { readonly json?: boolean }) =>
      done((await import('../actions/negotiate-modes.js')).showModes(mode, options, shell)),
    );
}

function speaking(negotiate: Command, name: string, description: string): Command {
  return withNegotiator(
    negotiate
      .command(name)
      .argument('<session>', 'the session')
      .description(description)
      .option('--sender <name>', 'speak for this participant, if the token allows it'),
  );
}

function offering(negotiate: Command, name: string, description: string): Command {
  return speaking(negotiate, name, description)
    .option('--summary <text>', 'the terms in a sentence')
    .option('--details <text>', 'the terms in full; @FILE reads a file');
}

function remark(negotiate: Command, name: string, description: string): Command {
  return speaking(negotiate, name, description)
    .argument('<offer>', 'the offer')
    .option('-r, --reason <text>', 'why');
}

function reasonIn({ reason }: RemarkOptions): { readonly reason?: string } {
  return defined({ reason });
}

function wordsIn({ summary, details }: OfferOptions) {
  return {
    ...defined({ summary }),
    ...(details === undefined ? {} : { details: contentOf(details, '--details') }),
  };
}

type MessageSender = { readonly sender?: string };

/** Says something about an offer. What it takes is loaded only now: help needs no client. */
async function offerIn(
  session: string,
  options: SendInSessionOptions,
  shell: Shell,
  saying: Omit<MessageAction<ProposalSession>, 'join'> & { readonly about: OfferRemark },
): Promise<ExitCode> {
  const { ProposalSession } = await import('@proffer/client/negotiation');
  const { sendInSession } = await import('../send-in-session.js');
  const { inOtherMode } = await import('../other-mode.js');
  const join = (client: MacpClient, id: string) =>
    ProposalSession.join(client, id).catch(
      inOtherMode(client, id, { name: shell.name, command: saying.about.command }),
    );
  return await sendInSession(session, options, shell, { join, ...saying });
}
