import { defined, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@proffer/core/json';
import type { AgentId, HookCall, ToolEffect } from './hook-call.js';
import { readPatch } from './patch.js';

type ReadEffect = (input: JsonObject, agent: AgentId, tool: string) => ToolEffect;

const OTHER: ToolEffect = { type: 'other' };
const INNER: ToolEffect = { type: 'inner' };

const shell: ReadEffect = (input, agent) => {
  const { command } = input;
  if (typeof command !== 'string') return OTHER;
  // The hooks of Codex CLI have the command and nothing else, although its model may choose a folder.
  if (agent === 'codex') return { type: 'shell', line: command, folder: null };
  const [folder] = ['workdir', 'cwd', 'dir_path', 'directory', 'working_directory'].flatMap((field) =>
    textsIn(input[field]),
  );
  return { type: 'shell', line: command, ...defined({ folder }) };
};

/** The names of arguments with paths, in any spelling: an agent may know one that is not in its documentation. */
const PATH_KEY = /path|file|dir(?:ectory)?$|folder|notebook|uri|target/i;
/** Something else, whatever its name contains. */
const OTHER_KEY = /content|text|string|(?:^|_)str$|source|instruction|description|pattern|type|mode/i;

/** The files in a tool's arguments, at any depth; the folder itself if it only reads and names none. */
const files =
  (isReading: boolean): ReadEffect =>
  (input, agent, tool) => {
    const paths = pathsIn(input);
    if (paths.length === 0) return isReading ? { type: 'files', paths: ['.'], isReading } : OTHER;
    // Gemini CLI edits the only file of the project whose path ends like that.
    const isSearched = agent === 'gemini-cli' && tool === 'replace';
    return { type: 'files', paths, isReading, ...(isSearched ? { isSearched } : {}) };
  };

function pathsIn(value: JsonValue | undefined, isPath = false): readonly string[] {
  if (typeof value === 'string') return isPath && value !== '' ? [value] : [];
  if (isJsonArray(value)) return value.flatMap((item) => pathsIn(item, isPath));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    pathsIn(item, PATH_KEY.test(key) && !OTHER_KEY.test(key)),
  );
}

/** A search in files. Which of them is a path, or a glob under one of several names. */
const searched: ReadEffect = (input, agent, tool) => {
  const found = files(true)(input, agent, tool);
  const patterns = Object.keys(input).flatMap((key) => (GLOB_KEY.test(key) ? textsIn(input[key]) : []));
  if (found.type !== 'files' || patterns.length === 0) return found;
  const globs = found.paths.flatMap((folder) => patterns.map((pattern) => ({ folder, pattern })));
  return { ...found, globs };
};

const GLOB_KEY = /glob|include/i;

/** Files by a pattern such as `src/**`: where it begins. */
const globbed =
  (field: string, { isRead }: { readonly isRead: boolean }): ReadEffect =>
  (input) => {
    const [folder = '.'] = pathsIn(input);
    const globs = textsIn(input[field]);
    const patterns = globs.map((text) => /^([^*?{}[\]()!+@]*\/)?(.*)$/s.exec(text));
    const paths = patterns.map((found) => {
      const begin = found?.[1] ?? '';
      return /^[/~]/.test(begin) ? begin : `${folder}/${begin}`;
    });
    const leadsOut = patterns.some((found) => found?.[2]?.includes('..') === true);
    const unclear = leadsOut ? { unclear: 'a pattern that may lead elsewhere' } : {};
    return {
      type: 'files',
      paths: paths.length === 0 ? [folder] : paths,
      isReading: true,
      ...(isRead ? { globs: globs.map((pattern) => ({ folder, pattern })) } : {}),
      ...unclear,
    };
  };

/** The addresses in a tool's arguments. In a prompt, agents take each word with a scheme in it. */
const web: ReadEffect = (input) => {
  const given = [...textsIn(input['url']), ...textsIn(input['urls'])];
  const words = textsIn(input['prompt']).flatMap((text) => text.split(/\s+/));
  const urls = [...given, ...words.filter((word) => word.includes('://')).flatMap(readingsOf)];
  return urls.length === 0 ? OTHER : { type: 'web', urls };
};

/** A word with a URL in it: as a whole, and without what is around it. */
function readingsOf(word: string): readonly string[] {
  return [...new Set([word, ...(word.match(/[a-z][a-z0-9+.-]*:\/\/[^\s"'<>)\]]+/gi) ?? [])])].filter((url) =>
    URL.canParse(url),
  );
}

/** The files named in a patch. */
const patch: ReadEffect = (input) => {
  const texts = [...textsIn(input['command']), ...textsIn(input['input']), ...textsIn(input['patch'])];
  const patches = texts.map(readPatch);
  const [unclear] = patches.flatMap((one) => one.unclear ?? []);
  const paths = patches.flatMap((one) => one.paths);
  if (texts.length === 0) return OTHER;
  return { type: 'files', paths, isReading: false, ...defined({ unclear }) };
};

const inner: ReadEffect = () => INNER;
const question: ReadEffect = () => ({ type: 'question' });

/** The built-in tools of agents, by their names in hooks. */
const TOOLS: ReadonlyMap<string, ReadEffect> = new Map<string, ReadEffect>([
  ...each(['Bash', 'Shell', 'bash', 'shell', 'run_shell_command'], shell),
  ...each(['Read', 'read_file', 'view', 'NotebookRead'], files(true)),
  ...each(['LS', 'list_directory'], files(true)),
  ...each(['Grep', 'grep', 'rg', 'search_file_content', 'grep_search'], searched),
  ...each(['Glob', 'glob'], globbed('pattern', { isRead: false })),
  ...each(['read_many_files'], globbed('include', { isRead: true })),
  ...each(['Write', 'Edit', 'MultiEdit', 'NotebookEdit', 'write_file', 'replace'], files(false)),
  ...each(['create', 'edit', 'str_replace_editor', 'Delete', 'StrReplace', 'EditNotebook'], files(false)),
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

type ToolUse = Pick<HookCall, 'agent' | 'tool' | 'arguments'>;

/** What a call does, if its tool is one of an agent's built-in tools. */
export function effectOf({ agent, tool, arguments: given }: ToolUse): ToolEffect {
  return TOOLS.get(tool)?.(given, agent, tool) ?? OTHER;
}

function textsIn(value: JsonValue | undefined): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (isJsonArray(value)) return value.flatMap((item) => textsIn(item));
  return isJsonObject(value) ? Object.values(value).flatMap((item) => textsIn(item)) : [];
}
