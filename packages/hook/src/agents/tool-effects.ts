import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@proffer/core/json';
import type { Effect } from './hook-call.js';

type ReadEffect = (input: JsonObject) => Effect;

const OTHER: Effect = { type: 'other' };
const INNER: Effect = { type: 'inner' };

const shell: ReadEffect = (input) => {
  const { command } = input;
  if (typeof command !== 'string') return OTHER;
  const [folder] = ['workdir', 'cwd', 'dir_path', 'directory', 'working_directory'].flatMap((field) =>
    textsIn(input[field]),
  );
  return { type: 'shell', line: command, ...(folder === undefined ? {} : { folder }) };
};

/** Files named in some fields; the folder itself if there are none. */
const files =
  (isReading: boolean, ...fields: readonly string[]): ReadEffect =>
  (input) => {
    const paths = fields.flatMap((field) => textsIn(input[field]));
    if (paths.length > 0) return { type: 'files', paths, isReading };
    return isReading ? { type: 'files', paths: ['.'], isReading } : OTHER;
  };

const web: ReadEffect = (input) => {
  const urls = [...textsIn(input['url']), ...textsIn(input['urls']), ...textsIn(input['prompt'])].flatMap(
    (text) => text.match(/[a-z][a-z0-9+.-]*:\/\/[^\s"'<>)\]]+/gi) ?? [],
  );
  return urls.length === 0 ? OTHER : { type: 'web', urls };
};

/** The files named in a patch. Unknown for anything else. */
const patch: ReadEffect = (input) => {
  const text = [...textsIn(input['command']), ...textsIn(input['input']), ...textsIn(input['patch'])].join(
    '\n',
  );
  const paths = [...text.matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm)].map(
    ([, path = '']) => path.trim(),
  );
  return paths.length === 0 ? OTHER : { type: 'files', paths, isReading: false };
};

const inner: ReadEffect = () => INNER;
const question: ReadEffect = () => ({ type: 'question' });

/** The built-in tools of agents, by their names in hooks. */
const TOOLS: ReadonlyMap<string, ReadEffect> = new Map<string, ReadEffect>([
  ...each(['Bash', 'Shell', 'bash', 'shell', 'run_shell_command'], shell),
  ...each(['Read', 'read_file', 'view', 'NotebookRead'], files(true, 'file_path', 'absolute_path', 'path')),
  ...each(['Glob', 'Grep', 'LS', 'glob', 'grep', 'rg'], files(true, 'path', 'dir_path')),
  ...each(['list_directory', 'search_file_content', 'grep_search'], files(true, 'path', 'dir_path')),
  ...each(['read_many_files'], files(true, 'paths', 'include')),
  ...each(['Write', 'Edit', 'MultiEdit', 'write_file', 'replace'], files(false, 'file_path', 'path')),
  ...each(['create', 'edit', 'str_replace_editor', 'Delete'], files(false, 'path', 'file_path')),
  ...each(['NotebookEdit'], files(false, 'notebook_path')),
  ...each(['apply_patch'], patch),
  ...each(['WebFetch', 'web_fetch'], web),
  ...each(
    ['TodoWrite', 'TodoRead', 'update_todo', 'write_todos', 'update_plan', 'Task', 'Agent', 'task'],
    inner,
  ),
  ...each(['ExitPlanMode', 'EnterPlanMode', 'AskUserQuestion', 'ask_user'], question),
  ...each(['ToolSearch', 'BashOutput'], inner),
]);

function each(names: readonly string[], read: ReadEffect): readonly [string, ReadEffect][] {
  return names.map((name) => [name, read]);
}

/** What a call does, if its tool is one of an agent's built-in tools. */
export function effectOf(tool: string, input: JsonObject): Effect {
  return TOOLS.get(tool)?.(input) ?? OTHER;
}

function textsIn(value: JsonValue | undefined): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (isJsonArray(value)) return value.flatMap((item) => textsIn(item));
  return isJsonObject(value) ? Object.values(value).flatMap((item) => textsIn(item)) : [];
}
