import { describe, expect, it } from 'vitest';
import { announcedTools } from './announcements.js';

describe('the tools that a bridge announces', () => {
  it("have what the server says about them only if someone trusts the server's hints", () => {
    const tool = { name: 'read', annotations: { title: 'Read', readOnlyHint: true, openWorldHint: false } };
    expect(announcedTools([tool], false)).toEqual([{ name: 'read', annotations: { title: 'Read' } }]);
    expect(announcedTools([tool], true)).toEqual([tool]);
  });
});
