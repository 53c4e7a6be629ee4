import type { TaskProjection } from '@proffer/core/negotiation';
import { Marked } from '../../text/marked.js';
import { Carried } from './carried.js';

/** A task: what was asked, who works on it, how far it is, and what came out. */
export function Task({ projection }: { readonly projection: TaskProjection }) {
  const { task, rejections } = projection;
  return (
    <section class="box">
      <h2>Task</h2>
      {task === undefined && <p class="pad dim">No task has been requested yet.</p>}
      {task !== undefined && (
        <div class="pad state">
          <p>
            <b>
              <Marked text={task.title === '' ? task.task_id : task.title} />
            </b>{' '}
            <span class="dim">
              asked by <Marked text={task.sender} /> of{' '}
              {task.requested_assignee === '' ? (
                'whoever accepts it'
              ) : (
                <Marked text={task.requested_assignee} />
              )}
            </span>
          </p>
          {task.instructions !== '' && (
            <blockquote>
              <Marked text={task.instructions} />
            </blockquote>
          )}
          <Carried label="Input" base64={task.input} />
          {rejections.map(({ sender, reason }) => (
            <p key={sender} class="tone-bad">
              <Marked text={sender} /> declined it{reason !== '' && ': '}
              <Marked text={reason} />
            </p>
          ))}
          <Work projection={projection} />
          <Report projection={projection} />
        </div>
      )}
    </section>
  );
}

function Work({
  projection: { assignee, updates, progress, report },
}: {
  readonly projection: TaskProjection;
}) {
  if (assignee === undefined) return <p class="dim">Nobody works on it.</p>;
  const last = updates.at(-1);
  const said = [last?.status ?? '', last?.message ?? ''].filter((text) => text !== '').join(': ');
  const isDone = report?.result === 'completed';
  return (
    <>
      <p>
        <b>
          <Marked text={assignee} />
        </b>{' '}
        {report === undefined ? 'works on it' : 'worked on it'}
        {!isDone && ` · ${Math.round(progress * 100)} %`}
      </p>
      <progress aria-label="Progress of the task" max={1} value={isDone ? 1 : progress} />
      {said !== '' && report === undefined && (
        <p class="dim small">
          <Marked text={said} />
        </p>
      )}
    </>
  );
}

function Report({ projection: { report } }: { readonly projection: TaskProjection }) {
  if (report === undefined) return null;
  if (report.result === 'completed')
    return (
      <>
        <p class="tone-good">
          Completed{report.summary !== '' && ': '}
          <Marked text={report.summary} />
        </p>
        <Carried label="Output" base64={report.output} />
      </>
    );
  return (
    <p class="tone-bad">
      Failed{report.error_code !== '' && ` (${report.error_code})`}
      {report.reason !== '' && ': '}
      <Marked text={report.reason} />
      {report.retryable && ' A retry may help.'}
    </p>
  );
}
