import type { TaskProjection } from '@proffer/core/negotiation';
import type { Style } from '../../terminal/shell.js';
import { visible, visibleLines } from '../../terminal/visible.js';
import { afterwards, progressBar, showContent, together } from '../view-parts.js';

/** A task: what was asked, who works on it, how far it is, and what came out. */
export function showTask(projection: TaskProjection, style: Style): readonly string[] {
  const { task } = projection;
  if (task === undefined) return [style.dim('  no task has been requested')];
  const { task_id, title, instructions, requested_assignee, sender, input } = task;
  const whom = requested_assignee === '' ? 'whoever accepts it' : visible(requested_assignee);
  const asked = style.dim(`asked by ${visible(sender)} of ${whom}`);
  return [
    `  ${[style.bold(visible(task_id)), visible(title), asked].filter((text) => text !== '').join('  ')}`,
    ...(instructions === '' ? [] : visibleLines(instructions, '    │ ')),
    ...(input === '' ? [] : [style.dim('    input:')]),
    ...showContent(input, '    │ ', style),
    ...showAnswers(projection, style),
    ...showReport(projection, style),
  ];
}

function showAnswers(
  { rejections, assignee, updates, progress, report }: TaskProjection,
  style: Style,
): readonly string[] {
  const declined = rejections.map(
    ({ sender, reason }) => `    ${style.red('✗')} ${visible(sender)} declined${afterwards(reason)}`,
  );
  if (assignee === undefined) return [...declined, style.dim('    · nobody works on it')];
  const last = updates.at(-1);
  const said = together(last?.status ?? '', last?.message ?? '');
  const percent = `${Math.round(progress * 100)} %`;
  // After the report, how far it was no longer matters.
  const bar = report === undefined ? [`    ${progressBar(progress)} ${percent}  ${said}`] : [];
  return [
    ...declined,
    `    ${style.cyan('●')} ${visible(assignee)} ${report === undefined ? 'works' : 'worked'} on it`,
    ...bar.map((line) => line.trimEnd()),
  ];
}

function showReport({ report }: TaskProjection, style: Style): readonly string[] {
  if (report === undefined) return [];
  if (report.result === 'completed') {
    return [
      `    ${style.green('✓')} completed${afterwards(report.summary)}`,
      ...showContent(report.output, '    │ ', style),
    ];
  }
  const { error_code, reason, retryable } = report;
  const code = error_code === '' ? '' : ` (${visible(error_code)})`;
  const again = retryable ? style.dim('  a retry may help') : '';
  return [`    ${style.red('✗')} failed${code}${afterwards(reason)}${again}`];
}
