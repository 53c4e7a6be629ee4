import {
  DecisionSession,
  HandoffSession,
  MultiRoundSession,
  QuorumSession,
  TaskSession,
} from '@proffer/client/negotiation';
import type { ComponentChildren } from 'preact';
import { plainLine } from '../../text/marked.js';
import { Action, AskReason } from '../action.js';
import type { BoardSession } from '../board-session.js';

interface RepliesProps {
  readonly session: BoardSession;
  readonly me: string;
}

/** What the reader can say in the session now. The gateway decides whether it counts. */
export function Replies({ session, me }: RepliesProps) {
  if (session instanceof DecisionSession) return <Votes session={session} me={me} />;
  if (session instanceof QuorumSession) return <Ballots session={session} me={me} />;
  if (session instanceof HandoffSession) return <HandoffReplies session={session} me={me} />;
  if (session instanceof TaskSession) return <TaskReplies session={session} me={me} />;
  if (session instanceof MultiRoundSession)
    return (
      <YourTurn>
        <AskReason
          label="Contribute a value"
          ask="Your value"
          isMain
          run={(value) => session.contribute(value)}
        />
      </YourTurn>
    );
  return null;
}

function YourTurn({
  title = 'Your turn',
  children,
}: {
  readonly title?: string;
  readonly children: ComponentChildren;
}) {
  return (
    <section class="box">
      <h2>{title}</h2>
      <div class="pad actions">{children}</div>
    </section>
  );
}

interface ReplyProps<Session> {
  readonly session: Session;
  readonly me: string;
}

function Votes({ session, me }: ReplyProps<DecisionSession>) {
  const { proposals, votes } = session.projection;
  const open = [...proposals.values()].filter(({ proposalId }) => !votes.get(proposalId)?.has(me));
  return open.map(({ proposalId, option }) => (
    <YourTurn key={proposalId} title={`Your vote on ${plainLine(option)}`}>
      <Action label="Approve" isMain run={() => session.vote(proposalId, 'APPROVE')} />
      <AskReason
        label="Reject"
        ask="Why, in one sentence"
        run={(reason) => session.vote(proposalId, 'REJECT', { reason })}
      />
      <Action label="Abstain" run={() => session.vote(proposalId, 'ABSTAIN')} />
    </YourTurn>
  ));
}

function Ballots({ session, me }: ReplyProps<QuorumSession>) {
  const { request, ballots } = session.projection;
  if (request === undefined || ballots.has(me)) return null;
  const { requestId } = request;
  return (
    <YourTurn>
      <Action label="Approve" isMain run={() => session.approve(requestId)} />
      <AskReason
        label="Reject"
        ask="Why, in one sentence"
        run={(reason) => session.reject(requestId, { reason })}
      />
      <Action label="Abstain" run={() => session.abstain(requestId)} />
    </YourTurn>
  );
}

function HandoffReplies({ session, me }: ReplyProps<HandoffSession>) {
  const offered = [...session.projection.offers.values()].filter(
    ({ target, disposition }) => target === me && disposition === 'offered',
  );
  return offered.map(({ handoffId, scope }) => (
    <YourTurn key={handoffId}>
      <Action
        label={`Take over ${plainLine(scope === '' ? handoffId : scope)}`}
        isMain
        run={() => session.accept(handoffId)}
      />
      <AskReason
        label="Decline"
        ask="Why, in one sentence"
        run={(reason) => session.decline(handoffId, { reason })}
      />
    </YourTurn>
  ));
}

function TaskReplies({ session, me }: ReplyProps<TaskSession>) {
  const { task, assignee, report, rejections } = session.projection;
  if (task === undefined || report !== undefined) return null;
  const { task_id, requested_assignee } = task;
  if (assignee === me)
    return (
      <YourTurn>
        <AskReason
          label="Report it done"
          ask="What came out"
          isMain
          run={(summary) => session.complete(task_id, { summary })}
        />
        <AskReason
          label="Report it failed"
          ask="Why, in one sentence"
          run={(reason) => session.fail(task_id, { reason })}
        />
      </YourTurn>
    );
  const isAsked = requested_assignee === me || (requested_assignee === '' && task.sender !== me);
  if (assignee !== undefined || !isAsked || rejections.some(({ sender }) => sender === me)) return null;
  return (
    <YourTurn>
      <Action label="Take the task" isMain run={() => session.accept(task_id)} />
      <AskReason
        label="Decline"
        ask="Why, in one sentence"
        run={(reason) => session.reject(task_id, { reason })}
      />
    </YourTurn>
  );
}
