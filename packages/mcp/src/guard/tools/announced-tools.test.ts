import type { Tool } from '@proffer/client';
import type { JsonObject } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import { proposalsFor } from '../../testing/deciding.js';
import { startSpace } from '../../testing/space.js';
import { connectRaw } from '../testing/raw-client.js';
import { fitTools } from './announced-tools.js';

const handler = () => 'ran';
const tool = (name: string, length: number): Tool => ({
  name,
  description: 'd'.repeat(length),
  inputSchema: { type: 'object', properties: { path: { type: 'string', description: 'p'.repeat(length) } } },
  handler,
});
const sizeOf = (tools: readonly Tool[]) => JSON.stringify({ tools }).length;

describe('announced tools', () => {
  it('are unchanged if they fit', () => {
    const tools = [tool('a', 10), tool('b', 1_000)];
    expect(fitTools(tools, 10_000)).toEqual(tools);
  });

  it('always have their names, then the short ones in full and excerpts of the others', () => {
    const tools = [tool('a', 5_000), tool('b', 10), tool('c', 5_000)];
    const fitting = fitTools(tools, 2_000);
    expect(fitting.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(fitting[1]).toEqual(tools[1]);
    expect(fitting[0]?.description).toMatch(/^d{200}… \(5000 characters\)$/);
    expect(fitting[0]?.inputSchema).toMatchObject({ properties: { path: {} } });
    expect(sizeOf(fitting)).toBeLessThanOrEqual(2_000);
  });

  it('are the first ones if not even the names fit', () => {
    const tools = Array.from({ length: 100 }, (_, index) => tool(`tool${index}`, 10));
    const fitting = fitTools(tools, 1_000);
    expect(fitting.length).toBeGreaterThan(10);
    expect(fitting.map(({ name }) => name)).toEqual(tools.slice(0, fitting.length).map(({ name }) => name));
    expect(sizeOf(fitting)).toBeLessThanOrEqual(1_000);
    expect(
      fitTools(
        Array.from({ length: 10_001 }, (_, index) => tool(`${index}`, 0)),
        10_000_000,
      ),
    ).toHaveLength(10_000);
  });

  it('have only their names if a gateway would not accept the rest', () => {
    let deep: JsonObject = {};
    for (let level = 0; level < 62; level++) deep = { properties: deep };
    const broken: Tool = { name: 'b', description: 'half a pair: \ud800', handler };
    expect(fitTools([{ name: 'a', inputSchema: deep, handler }, broken], 10_000)).toEqual([
      { name: 'a', handler },
      { name: 'b', handler },
    ]);
  });
});

describe('tool list larger than a message', () => {
  it('leaves calls of all tools approvable', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    const tools = Array.from({ length: 80 }, (_, index) => ({
      name: `t${index}`,
      description: 'd'.repeat(20_000),
    }));
    const lines: string[] = [];
    await using client = await connectRaw(space, {
      log: (line) => lines.push(line),
      answer: ({ method }: JsonObject) =>
        method === 'tools/list'
          ? { result: { tools } }
          : { result: { content: [{ type: 'text', text: 'ran' }] } },
    });
    for (const id of [0, 79]) {
      client.send({ id, method: 'tools/call', params: { name: `t${id}` } });
      await (await next()).fulfil();
      expect(await client.answer(id)).toMatchObject({ result: { content: [{ text: 'ran' }] } });
    }
    expect(lines).toEqual([expect.stringContaining('too long to announce in full')]);
  });

  it('leaves calls of all tools approvable, even if not all names fit', async () => {
    await using space = await startSpace();
    await using reviewer = await space.join('reviewer');
    const next = proposalsFor(reviewer);
    const tools = Array.from({ length: 1_500 }, (_, index) => ({ name: `${'n'.repeat(1_000)}${index}` }));
    await using client = await connectRaw(space, {
      answer: ({ method }: JsonObject) =>
        method === 'tools/list'
          ? { result: { tools } }
          : { result: { content: [{ type: 'text', text: 'ran' }] } },
    });
    for (const id of [0, 1_499]) {
      client.send({ id, method: 'tools/call', params: { name: tools[id]?.name ?? '' } });
      await (await next()).fulfil();
      expect(await client.answer(id)).toMatchObject({ result: { content: [{ text: 'ran' }] } });
    }
  });
});
