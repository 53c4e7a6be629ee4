import { defined } from '@proffer/core/json';
import { usageFailure } from '../command-failure.js';
import type { AddCommands } from '../command-families.js';
import { durationOption, type EndpointOptions, EXACT, withEndpoint } from '../command-options.js';
import { connect } from '../connection/connect.js';
import { sameOptions } from '../connection/endpoint.js';
import { delegationMessage } from '../connection/envelopes.js';
import { wholeId } from '../display/short-ids.js';
import { findProposal } from '../proposals/find-proposal.js';
import { tooLate } from '../proposals/too-late.js';
import { printJson, type Shell, shellWord } from '../terminal/shell.js';
import { formatSpan, visible } from '../terminal/visible.js';

/** `proffer delegate NAME`: delegates your part in reviews for a while (O-34). */
export const addDelegate: AddCommands = (program, shell) => {
  withEndpoint(
    program
      .command('delegate')
      .argument(
        '[name]',
        'who may approve and reject in your place; without a name, lists who decides for whom',
      )
      .description('Let someone review in your place for a while')
      .option('--for <duration>', 'for how long, such as 8h', durationOption)
      .option('--proposal <id>', 'for this proposal only, or the beginning of its id')
      .option('--revoke', 'end the delegation')
      .option('--exact', EXACT)
      .option('--json', 'print JSON'),
  )
    .addHelpText(
      'after',
      `
Examples:
  ${shell.name} delegate bob --for 8h
  ${shell.name} delegate bob --for 1h --proposal p-k3f9x-2mq7c
  ${shell.name} delegate --revoke`,
    )
    .action(async (name: string | undefined, options: DelegateFlags) => await delegate(name, options, shell));
};

/** Command-line options of `delegate`. */
interface DelegateFlags extends EndpointOptions {
  /** Milliseconds. */
  readonly for?: number;
  readonly proposal?: string;
  readonly revoke?: boolean;
  readonly exact?: boolean;
  readonly json?: boolean;
}

/** Delegates your part in all reviews, or in one proposal, or takes it back; without a name, lists (O-34). */
async function delegate(name: string | undefined, options: DelegateFlags, shell: Shell): Promise<void> {
  const { proposal: text, exact, revoke, for: span } = options;
  if (name === undefined && (revoke ?? span ?? text) === undefined) return await list(options, shell);
  const handed = readDelegation(name, options, shell);
  const connection = connect(options, shell, 'reviewer');
  const id =
    text === undefined
      ? undefined
      : (await findProposal(connection, text, { pending: true, exact })).proposal.id;
  const about = id === undefined ? 'everything' : visible(wholeId(id));
  const { delegations, named } = await connection.delegations();
  const isNone = handed === undefined && id === undefined && !(await hasDelegated(connection, delegations));
  const sent = await connection.send(delegationMessage(handed, id));
  if (sent.status === 'late' && id !== undefined) throw await tooLate(id, connection);
  if (options.json === true) printJson({ ...sent, ...defined({ proposal: id }) }, shell);
  else if (isNone) shell.print('You had not delegated anything. Nothing changed.');
  else if (handed === undefined) shell.print(`You review ${about} yourself again.`);
  else {
    const which = id === undefined ? '' : ` --proposal ${shellWord(id)}`;
    shell.print(`${visible(handed.to)} reviews ${about} in your place for ${formatSpan(options.for ?? 0)}.`);
    // For a single proposal the gateway itself refuses it.
    if (named === false && id === undefined)
      shell.print(shell.style.yellow(`  Nothing changes yet: ${NOT_NAMED}`));
    shell.print(
      shell.style.dim(
        `  to take it back:  ${shell.name} delegate --revoke${visible(which)}${visible(sameOptions(connection.endpoint))}`,
      ),
    );
  }
}

/** Who decides for whom: in all reviews, and in each pending one. */
async function list(options: DelegateFlags, shell: Shell): Promise<void> {
  const connection = connect(options, shell, 'reviewer');
  const { delegations: always } = await connection.delegations();
  const { proposals } = await connection.pending();
  // A pending review has those for all reviews, too.
  const isAlways = ({ by, to, until }: (typeof always)[number]): boolean =>
    always.some((one) => one.by === by && one.to === to && one.until === until);
  const once = proposals.flatMap(({ id, delegations = [] }) =>
    delegations
      .filter((each) => !isAlways(each))
      .map(({ by, to, until }) => ({ by, to, until, proposal: id })),
  );
  const all: readonly ((typeof always)[number] & { readonly proposal?: string })[] = [...always, ...once];
  const inForce = all.filter(({ until }) => until > shell.now());
  if (options.json === true) printJson({ delegations: inForce }, shell);
  else if (inForce.length === 0)
    shell.print(
      'No reviews are delegated.',
      shell.style.dim(
        `  to delegate your reviews:  ${shell.name} delegate NAME --for 8h${visible(sameOptions(connection.endpoint))}`,
      ),
    );
  else
    shell.print(
      ...inForce.map(({ by, to, until, proposal }) => {
        const what = proposal === undefined ? 'everything' : visible(wholeId(proposal));
        return `${visible(to)} reviews ${what} in place of ${visible(by)} for ${formatSpan(until - shell.now())}.`;
      }),
    );
}

const NOT_NAMED = 'no review policy in this space names you. The delegation takes effect once one does.';

async function hasDelegated(
  connection: ReturnType<typeof connect>,
  delegations: readonly { readonly by: string }[],
): Promise<boolean> {
  const { participant } = await connection.whoAmI();
  return delegations.some(({ by }) => by === participant);
}

/** The delegate and the end; `undefined` to take the delegation back. */
function readDelegation(
  to: string | undefined,
  { for: span, revoke }: DelegateFlags,
  { name }: Shell,
): { readonly to: string; readonly until: number } | undefined {
  if (revoke === true) {
    if (to === undefined && span === undefined) return undefined;
    throw usageFailure('--revoke ends the delegation; leave out the name and --for.', [
      `${name} delegate --revoke`,
    ]);
  }
  if (to === undefined || span === undefined) {
    throw usageFailure('Say who reviews in your place, and for how long.', [
      `${name} delegate NAME --for 8h`,
    ]);
  }
  return { to, until: Date.now() + span };
}
