import process from 'node:process';
import type { Question, Saying } from './processes/companion.js';
import { isRole, ROLES } from './processes/roles.js';
import { usageOfThis } from './processes/usage.js';

// A process beside a benchmark: `companion-main ROLE OPTIONS`. It ends when who started it is gone.
process.on('disconnect', () => process.exit());
process.on('message', ({ usage: { collect } }: Question) => tell({ usage: usageOfThis(collect) }));
const [, , role = '', options = '{}'] = process.argv;
if (!isRole(role)) throw new Error(`There is no role "${role}".`);
tell({ ready: await ROLES[role](JSON.parse(options) as never) });

function tell(saying: Saying): void {
  process.send?.(saying);
}
