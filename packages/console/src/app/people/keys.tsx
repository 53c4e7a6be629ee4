import type { Member } from '@proffer/client';
import { type JsonObject, objectsIn } from '@proffer/core/json';
import { useState } from 'preact/hooks';
import { useAnswer } from '../session/use-answer.js';
import type { Space } from '../space/space.js';
import { Marked, plainLine } from '../text/marked.js';
import { When } from '../text/when.js';

/** What makes, uses and revokes passkeys: loaded only when somebody does. */
const load = () => import('../passkeys/passkeys.js');

/** Whether a message may change who has which key. */
const isNews = ({ kind }: { readonly kind: string }): boolean => /^mcpx\.(?:un)?register\.key$/.test(kind);

/** The keys that approvals are signed with: a way to add a passkey, and to revoke those of lost devices (O-49). */
export function Keys({ space }: { readonly space: Space }) {
  const path = `/spaces/${encodeURIComponent(space.name)}/keys`;
  const { answer, problem } = useAnswer(space, path, { isNews });
  const [open, setOpen] = useState<'add' | 'allow'>();
  const [said, setSaid] = useState<Said>();
  const keys = objectsIn(answer?.['keys']).map((key) => key as JsonObject & ListedKey);
  const mayAllow = answer?.['mayAllow'] === true;
  // Only these can sign for a new one in this browser.
  const hasPasskey = keys.some(
    ({ participant, domain }) => participant === space.me && domain === location.hostname,
  );
  const run = (what: Promise<string>): void => {
    setSaid(undefined);
    const isDone = (words: string): void => {
      setOpen(undefined);
      setSaid({ words, isBad: false });
    };
    what.then(isDone, (error: unknown) =>
      setSaid({ words: error instanceof Error ? error.message : String(error), isBad: true }),
    );
  };
  const shown = said ?? (problem === undefined ? undefined : { words: problem.message, isBad: true });
  return (
    <section class="box">
      <h2>
        <span>Passkeys and other keys</span>
        {open === undefined ? (
          <span>
            {mayAllow && (
              <button type="button" class="quiet" onClick={() => setOpen('allow')}>
                Let somebody add one …
              </button>
            )}
            <button type="button" class="quiet" onClick={() => setOpen('add')}>
              Add a passkey …
            </button>
          </span>
        ) : (
          <button type="button" class="quiet" onClick={() => setOpen(undefined)}>
            Cancel
          </button>
        )}
      </h2>
      {shown !== undefined && (
        <p class={shown.isBad ? 'notice bad' : 'notice'} role={shown.isBad ? 'alert' : 'status'}>
          <Marked text={shown.words} />
        </p>
      )}
      {open === 'add' && (
        <AddPasskey
          code={hasPasskey ? 'elsewhere' : mayAllow ? 'own' : 'needed'}
          onAdd={(given) =>
            run(
              load()
                .then(({ registerPasskey }) => registerPasskey(space, given))
                .then(() => 'Your passkey is registered. Approvals that have to be signed ask for it.'),
            )
          }
        />
      )}
      {open === 'allow' && (
        <AllowKey
          space={space}
          onAllow={(name) =>
            run(
              load()
                .then(({ allowKey }) => allowKey(space, name))
                .then((code) => `${name} can add one key with this code, within a day: ${code}`),
            )
          }
        />
      )}
      {keys.length === 0 ? (
        <p class="pad dim">Nobody here has a key. Approvals need one where a review demands signatures.</p>
      ) : (
        <ul class="in-force">
          {keys.map((key) => (
            <li key={key.id}>
              <div>
                <b>{key.participant === space.me ? 'You' : <Marked text={key.participant} />}</b>
                {key.participant === space.me ? ' have' : ' has'} a{' '}
                {key.type === 'passkey' ? 'passkey' : 'key'}
                {key.label !== undefined && (
                  <>
                    {': '}
                    <Marked text={key.label} />
                  </>
                )}
                <p class="dim small">
                  added <When at={key.at} /> · <VouchedBy vouched={key.vouched} />
                </p>
              </div>
              {(key.participant === space.me || mayAllow) && (
                <button
                  type="button"
                  class="button"
                  onClick={() =>
                    run(
                      load()
                        .then(({ revokeKey }) => revokeKey(space, key.participant, key.id))
                        .then(() => 'That key no longer counts.'),
                    )
                  }
                >
                  Revoke<span class="sr"> the key {plainLine(key.label ?? key.id)}</span>
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      <p class="pad dim small">
        Lost a device? Revoke its key here, or ask an operator to; it stops counting at once. An operator’s
        code lets you add another one.
      </p>
    </section>
  );
}

type KeyInForce = NonNullable<Member['keys']>[number];
type ListedKey = KeyInForce & { readonly participant: string };

interface Said {
  readonly words: string;
  readonly isBad: boolean;
}

function VouchedBy({ vouched }: Pick<KeyInForce, 'vouched'>) {
  return 'code' in vouched ? (
    <>
      with a code of <Marked text={vouched.code} />
    </>
  ) : (
    <>with an earlier key</>
  );
}

interface AddPasskeyProps {
  /**
   * Whether the user needs the code of an operator: always, only `elsewhere` than where an earlier passkey is, or never, as
   * an operator.
   */
  readonly code: 'needed' | 'elsewhere' | 'own';
  readonly onAdd: (given: { readonly label: string; readonly code: string }) => void;
}

function AddPasskey({ code: need, onAdd }: AddPasskeyProps) {
  const [label, setLabel] = useState('');
  const [code, setCode] = useState('');
  return (
    <form
      class="row pad"
      onSubmit={(event) => {
        event.preventDefault();
        onAdd({ label: label.trim(), code: code.trim() });
      }}
    >
      {need !== 'own' && (
        <input
          value={code}
          required={need === 'needed'}
          autocomplete="one-time-code"
          aria-label="The code of an operator"
          placeholder={
            need === 'needed' ? 'The code of an operator' : 'A code, if your passkey is on another device'
          }
          onInput={({ currentTarget }) => setCode(currentTarget.value)}
        />
      )}
      <input
        value={label}
        maxLength={100}
        aria-label="What you call this device"
        placeholder="What you call this device"
        onInput={({ currentTarget }) => setLabel(currentTarget.value)}
      />
      <button type="submit" class="button">
        Add
      </button>
    </form>
  );
}

interface AllowKeyProps {
  readonly space: Space;
  readonly onAllow: (name: string) => void;
}

function AllowKey({ space, onAllow }: AllowKeyProps) {
  const [name, setName] = useState('');
  return (
    <form
      class="row pad"
      onSubmit={(event) => {
        event.preventDefault();
        onAllow(name.trim());
      }}
    >
      <input
        value={name}
        required
        list="allow-key-names"
        aria-label="Who may add a key"
        placeholder="Who may add a key"
        onInput={({ currentTarget }) => setName(currentTarget.value)}
      />
      <datalist id="allow-key-names">
        {space.participant.participants.map(({ id }) => (
          <option key={id} value={id} />
        ))}
      </datalist>
      <button type="submit" class="button">
        Make a code
      </button>
    </form>
  );
}
