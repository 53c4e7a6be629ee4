import { describe, expect, it } from 'vitest';
import { authorize } from '../../capability/authorize.js';
import { parseCapability } from '../../capability/capability.js';
import { compileCapabilities } from '../../capability/compiled-capabilities.js';
import { emptySpace, evolveSpace } from '../space/space.js';
import { viewSpace } from '../space/space-view.js';
import { welcomePayload } from '../space/system-payloads.js';
import {
  announce,
  approve,
  createWorld,
  fulfil,
  message,
  propose,
  reject,
  withdraw,
} from '../testing/world.js';

const pause = (id: string, from = 'ops', reason?: string) =>
  message(from, id, 'mcpx.pause.approvals', reason === undefined ? {} : { reason });
const resume = (id: string, from = 'ops') => message(from, id, 'mcpx.resume.approvals', {});

function world() {
  const made = createWorld(['agent', 'reviewer', 'ops', 'tools']);
  made.send(announce('n1', 'tools', ['write_file']));
  made.send(propose('p1'));
  return made;
}

describe('pausing all approvals of a space', () => {
  it('refuses every way to approve until somebody resumes them, and says who and why', () => {
    const space = world();
    expect(space.types(space.send(pause('s1', 'ops', 'incident 12')))).toEqual(['approvals_paused']);
    expect(space.send(approve('a1', 'p1')).refused).toMatchObject({
      code: 'approvals_paused',
      message: expect.stringContaining('ops paused all approvals in main: incident 12.'),
      details: { by: 'ops', reason: 'incident 12' },
    });
    expect(space.send(fulfil('f1', 'p1')).refused?.code).toBe('approvals_paused');
    space.send(resume('s2'));
    expect(space.types(space.send(approve('a2', 'p1')))).toContain('fulfilled');
  });

  it('does not affect proposing, rejecting and withdrawing', () => {
    const space = world();
    space.send(pause('s1'));
    expect(space.types(space.send(propose('p2')))).toEqual(['proposed']);
    expect(space.types(space.send(reject('r1', 'p1')))).toContain('rejected');
    expect(space.types(space.send(withdraw('w1', 'p2')))).toEqual(['withdrawn']);
  });

  it('is in the welcome while it lasts', () => {
    const space = world();
    const welcome = () =>
      welcomePayload(space.space, { name: 'agent', capabilities: [] }, { others: [], seq: 1 });
    expect(welcome()).not.toHaveProperty('paused');
    space.send(pause('s1'));
    expect(welcome()).toMatchObject({ paused: { by: 'ops' } });
    space.send(resume('s2'));
    expect(welcome()).not.toHaveProperty('paused');
  });

  it.each([
    ['in the same millisecond', 0],
    ['after a clock went back', -5_000],
  ])('the latest change counts, even %s', (_, step) => {
    const space = world();
    space.send(pause('s1', 'reviewer'));
    space.send(resume('s2', 'reviewer'));
    space.now += step;
    space.send(pause('s3', 'ops'));
    expect(space.send(approve('a1', 'p1')).refused?.code).toBe('approvals_paused');
    space.send(resume('s4', 'agent'));
    expect(space.types(space.send(approve('a2', 'p1')))).toContain('fulfilled');
  });

  it('I-3: is the same in whatever order two streams are read, and after a replay', () => {
    const space = world();
    space.send(pause('s1'));
    space.now += 1;
    space.send(resume('s2', 'reviewer'));
    const fold = (records: typeof space.records) =>
      viewSpace(records.reduce(evolveSpace, emptySpace(space.space.settings)));
    expect(fold(space.records)).toEqual(viewSpace(space.space));
    const swapped = [...space.records.slice(0, -2), ...space.records.slice(-2).reverse()];
    expect(fold(swapped)['pause']).toEqual(fold(space.records)['pause']);
  });

  it.each([
    ['mcpx.*', false],
    ['mcpx.pause.approvals', true],
    ['*', true],
  ])('O-44: must be granted by name: %s', (source, isAllowed) => {
    const parsed = parseCapability(source);
    const compiled = compileCapabilities(parsed.ok ? [parsed.value] : []);
    expect(authorize(compiled, pause('s1')) === undefined).toBe(isAllowed);
  });
});
