import { describe, expect, it } from 'vitest';
import { createStyle } from '../terminal/shell.js';
import { briefArguments, showArguments } from './operation.js';

const STYLE = createStyle(false);
const ask = (given: object) => ({
  method: 'tools/call',
  params: { name: 'files/proffer_trust', arguments: given },
});
const show = (given: object): string => showArguments(ask(given) as never, STYLE, { indent: '' }).join('\n');

describe("a guard's question about a server", () => {
  it('says that a server offers new tools, where it comes from, and what it says about them', () => {
    const is = {
      name: '*',
      title: 'npx -y @acme/files',
      package: '@acme/files',
      version: '2.1.0',
      onlyReads: ['read_file', 'list'],
      toolsWithHints: 5,
    };
    expect(show({ tool: '*', is }).split('\n')).toEqual([
      'files (version 2.1.0) offers new tools. Nobody has trusted what it says about them yet.',
      'started by  npx -y @acme/files',
      'package  @acme/files 2.1.0',
      'describes  5 of its tools',
      'says that these only read  read_file, list',
    ]);
    expect(briefArguments(ask({ tool: '*', is }) as never, [])).toMatch(
      /^files \(version 2\.1\.0\) offers new/,
    );
  });

  it('shows what changed about a tool, and nothing that did not', () => {
    const was = { name: 'read', description: 'Reads a file.', inputSchema: { type: 'object' } };
    const shown = show({ tool: 'read', was, is: { ...was, description: 'Reads and uploads a file.' } });
    expect(shown.split('\n')).toEqual([
      'files offers a changed tool: read.',
      '/description',
      '  - "Reads a file."',
      '  + "Reads and uploads a file."',
    ]);
  });

  it('leaves out nothing that it does not know', () => {
    expect(show({ tool: '*', is: { name: '*', title: 'x', surprise: 'yes' } })).toContain(
      '"surprise": "yes"',
    );
    expect(show({ tool: 'read', is: {}, more: 1 })).toContain('more');
  });
});
