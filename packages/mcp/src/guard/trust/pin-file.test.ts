import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MAX_TOOLS, PinBook } from './pin-book.js';
import { createPinFile } from './pin-file.js';
import { readDefinitions, type ToolPin } from './tool-pins.js';

const definition = (name: string, description = name) => ({ name, description });
const pins = (...names: readonly string[]) =>
  new Map(names.map((name) => [name, { definition: definition(name) }]));
const question = { id: 'trust-1', by: 'files', is: 'sha256:1' };

async function place() {
  const folder = await mkdtemp(join(tmpdir(), 'proffer-pins-'));
  return {
    path: join(folder, 'pins', 'files.json'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

describe('pin file', () => {
  it('has what was saved last, from any number of writers, with its questions', async () => {
    await using at = await place();
    const [one, two] = [createPinFile(at.path), createPinFile(at.path)];
    expect(one.load()).toEqual(new Map());
    one.save(pins('read', 'write'));
    two.save(pins('append', '__proto__'));
    one.saveQuestion('write', question);
    two.save(new Map([['read', { definition: definition('read', 'Reads.') }]]));
    const expected = new Map<string, ToolPin>([
      ...pins('read', 'write', 'append', '__proto__'),
      ['read', { definition: definition('read', 'Reads.') }],
      ['write', { definition: definition('write'), question }],
    ]);
    expect(createPinFile(at.path).load()).toEqual(expected);
    one.saveQuestion('write', undefined);
    expect(createPinFile(at.path).load().get('write')).toEqual({ definition: definition('write') });
  });

  it('a question from one writer does not undo an acceptance by another', async () => {
    await using at = await place();
    const [one, two] = [createPinFile(at.path), createPinFile(at.path)];
    one.save(pins('write'));
    two.load();
    two.save(new Map([['write', { definition: definition('write', 'accepted') }]]));
    one.saveQuestion('write', question);
    expect(createPinFile(at.path).load().get('write')).toEqual({
      definition: definition('write', 'accepted'),
      question,
    });
  });

  it('of the first format is read, and continues in the current one', async () => {
    await using at = await place();
    createPinFile(at.path).save(pins('other'));
    await writeFile(
      at.path,
      JSON.stringify({ format: 1, tools: { read: definition('read') } }, undefined, 2),
    );
    const store = createPinFile(at.path);
    expect(store.load()).toEqual(pins('read'));
    store.save(pins('write'));
    expect(createPinFile(at.path).load()).toEqual(pins('read', 'write'));
  });

  it('with a truncated last line has all the others', async () => {
    await using at = await place();
    createPinFile(at.path).save(pins('read'));
    await appendFile(at.path, '{"tool":"wri');
    const store = createPinFile(at.path);
    expect(store.load()).toEqual(pins('read'));
    store.save(pins('write'));
    expect(createPinFile(at.path).load()).toEqual(pins('read', 'write'));
  });

  it('is rewritten by a writer that finds a partial line at its end', async () => {
    await using at = await place();
    const store = createPinFile(at.path);
    store.save(pins('read'));
    await appendFile(at.path, '{"tool":"app');
    store.save(pins('write'));
    await appendFile(at.path, '{"tool":"app');
    store.saveQuestion('write', question);
    const asked: [string, ToolPin] = ['write', { definition: definition('write'), question }];
    expect(createPinFile(at.path).load()).toEqual(new Map([...pins('read'), asked]));
  });

  it.each(['', '{}', '{"format":3}', '{"format":2}\n[]\n', '{"format":2}\n{"tool":"write"}\n'])(
    'is an error if it is invalid, not an empty one: %j',
    async (text) => {
      await using at = await place();
      createPinFile(at.path).save(pins('read'));
      await writeFile(at.path, text);
      expect(() => createPinFile(at.path).load()).toThrow(/does not contain a guard's pins/);
    },
  );

  it('grows by what is added, and is rewritten when most of it was replaced', async () => {
    await using at = await place();
    const store = createPinFile(at.path);
    const large = (text: string) =>
      new Map([['write', { definition: definition('write', text.repeat(100_000)) }]]);
    store.save(pins('read'));
    const { ino } = await stat(at.path);
    store.save(large('a'));
    expect(await stat(at.path)).toMatchObject({ ino });
    for (let count = 0; count < 40; count++) store.save(large('b'));
    expect((await readFile(at.path)).length).toBeLessThan(2_000_000);
    expect(createPinFile(at.path).load()).toEqual(new Map([...pins('read'), ...large('b')]));
  });
});

describe('pins of one server', () => {
  const some = (count: number, prefix: string, size = 1) =>
    readDefinitions(
      Array.from({ length: count }, (_, index) => definition(`${prefix}${index}`, 'x'.repeat(size))),
    );

  it('are bounded in number, and none is dropped for another', async () => {
    await using at = await place();
    const book = new PinBook(createPinFile(at.path));
    book.addFresh(some(1, 'first'));
    book.addFresh(some(MAX_TOOLS + 10, 'many'));
    expect(book.get('first0')).toBeDefined();
    expect(book.get(`many${MAX_TOOLS - 2}`)).toBeDefined();
    expect(createPinFile(at.path).load().size).toBe(MAX_TOOLS);
  });

  it('are bounded in size, individually and in total', async () => {
    await using at = await place();
    const book = new PinBook(createPinFile(at.path));
    book.addFresh(some(1, 'large', 262_144));
    expect(book.get('large0')).toBeUndefined();
    book.addFresh(some(80, 'medium', 250_000));
    expect(book.get('medium60')).toBeDefined();
    expect(book.get('medium79')).toBeUndefined();
    expect((await stat(at.path)).size).toBeLessThan(17_000_000);
  });
});
