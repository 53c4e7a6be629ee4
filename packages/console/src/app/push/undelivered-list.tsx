import { isJsonArray, type JsonObject, objectsIn, textOf } from '@proffer/core/json';
import { useEffect, useState } from 'preact/hooks';
import { ask } from '../session/http.js';
import { gatewayNow } from '../state/clock.js';
import { Marked } from '../text/marked.js';
import { count, relative } from '../text/words.js';

/** For operators: notifications that failed, with the reason. Empty for everyone else. */
export function UndeliveredList({ token }: { readonly token: string }) {
  const [failed, setFailed] = useState<readonly JsonObject[]>();
  useEffect(() => {
    // Without notifications there is nothing to show.
    readFailed(token).then(setFailed, () => {});
  }, []);
  if (failed === undefined) return null;
  return (
    <section class="tell">
      <h3>Notifications that could not be sent</h3>
      {failed.length === 0 && <p class="dim">All notifications in your spaces have been sent.</p>}
      <ul class="tell-list">
        {failed.map((one, index) => (
          <Failed key={index} of={one} />
        ))}
      </ul>
    </section>
  );
}

async function readFailed(token: string): Promise<readonly JsonObject[] | undefined> {
  const { operator, undelivered } = await ask('/hooks/undelivered', token, {});
  if (operator !== true) return undefined;
  return objectsIn(undelivered);
}

function Failed({ of }: { readonly of: JsonObject }) {
  const { participant, channel, space, why, failures, nextAt, parkedAt, proposals } = of;
  const about = isJsonArray(proposals) ? proposals.length : 0;
  const when =
    typeof parkedAt === 'number'
      ? `Gave up ${relative(parkedAt, gatewayNow())}.`
      : `Failed ${count(Number(failures), 'time')}; the next try is ${relative(Number(nextAt), gatewayNow())}.`;
  return (
    <li>
      <span>
        <b>
          <Marked text={textOf(participant)} />
        </b>{' '}
        over <Marked text={textOf(channel)} />, about {count(about, 'proposal')} in{' '}
        <Marked text={textOf(space)} />
        <br />
        <span class={typeof parkedAt === 'number' ? 'tone-bad' : 'dim'}>
          <Marked text={textOf(why)} />
        </span>
        <span class="dim"> · {when}</span>
      </span>
    </li>
  );
}
