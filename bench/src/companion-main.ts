import process from 'node:process';
import type { CompanionMessage, CompanionRequest } from './processes/companion.js';
import { isRole, ROLES } from './processes/roles.js';
import { usageOfThis } from './processes/usage.js';

// A helper process of a benchmark: `companion-main ROLE OPTIONS`. It exits when its parent is gone.
process.on('disconnect', () => process.exit());
process.on('message', ({ usage: { collect } }: CompanionRequest) => reply({ usage: usageOfThis(collect) }));
const [, , role = '', options = '{}'] = process.argv;
if (!isRole(role)) throw new Error(`There is no role "${role}".`);
reply({ ready: await ROLES[role](JSON.parse(options) as never) });

function reply(message: CompanionMessage): void {
  process.send?.(message);
}
