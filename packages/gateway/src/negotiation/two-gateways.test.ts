import { createMemoryJournal } from '@proffer/journal';
import { shared } from '../testing/journals.js';
import { describeNegotiatingAcross } from '../testing/negotiating-across.js';
import { startTestGateway } from '../testing/test-gateway.js';

describeNegotiatingAcross('memory', async () => {
  const journal = createMemoryJournal();
  const first = await startTestGateway('dev: true', shared(journal));
  const second = await startTestGateway('dev: true', shared(journal));
  const close = async (): Promise<void> => {
    await Promise.all([first.gateway.close(), second.gateway.close()]);
  };
  return { first, second, journal, [Symbol.asyncDispose]: close };
});
