import { expect, it } from 'vitest';
import { BUILT, start, temporaryFolder } from '../testing/cli.js';

it('O-49: the built command can read passkeys', async () => {
  await using folder = await temporaryFolder();
  const running = start(['up', '--dev', '--port', '0', '--data', folder.path], { program: BUILT });
  const [, url = ''] = /HTTP +(http:\S+)/.exec(await running.until(/HTTP +http:\S+/)) ?? [];
  const client = { type: 'webauthn.create', challenge: 'x', origin: 'http://localhost' };
  const clientDataJSON = Buffer.from(JSON.stringify(client)).toString('base64url');
  // CBOR: no statement about the authenticator, and nothing else.
  const attestation = Buffer.from('\xa3cfmtdnonegattStmt\xa0hauthData\x40', 'latin1');
  const passkey = {
    id: 'x',
    rawId: 'x',
    type: 'public-key',
    response: { clientDataJSON, attestationObject: attestation.toString('base64url') },
  };
  const answer = await fetch(`${url}/spaces/main/keys`, {
    method: 'POST',
    headers: { authorization: 'Bearer human', 'content-type': 'application/json' },
    body: JSON.stringify({ at: Date.now(), code: 'x', passkey }),
  });
  // What reads passkeys was loaded, and says what is wrong with this one.
  expect(await answer.text()).toMatch(/Unexpected registration response challenge.+"signature_invalid"/);
  running.child.kill();
  await running.ended;
});
