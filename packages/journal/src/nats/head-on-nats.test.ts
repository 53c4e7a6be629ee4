import { expect, it } from 'vitest';
import { appended, sample, startNatsServers } from '../testing/index.js';
import { opened } from './testing/open.js';

const STREAM = 'main/proposal/1';

it('I-2, I-6: whoever has seen more than is known here is believed: what another gateway wrote is asked for', async () => {
  await using servers = await startNatsServers();
  const options = { servers: servers.urls, replicas: 1 };
  const here = await opened(options);
  const there = await opened(options);
  for (let version = 1; version <= 50; version++) {
    appended(await there.append(STREAM, version - 1, [sample(`number ${version}`)]));
    // It was acknowledged there this moment, and has not come here yet.
    expect(await here.head(STREAM, version)).toMatchObject({ version });
  }
  expect(await here.head(STREAM, 51)).toMatchObject({ version: 50 });
  await here.close();
  await there.close();
});
