import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockFile } from '@proffer/journal';
import { describe, expect, it, onTestFinished } from 'vitest';
import { deviceSignIn, isDeviceKey, TOKEN_LIFETIME } from './device-sign-in.js';
import { devicesIn } from './devices.js';
import { deviceKeys } from './testing/device-keys.js';

const NOW = 1_700_000_000_000;
const MINUTE = 60_000;

/** A machine with one paired device. */
async function machine() {
  const folder = mkdtempSync(join(tmpdir(), 'proffer-devices-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const devices = devicesIn(folder);
  const browser = deviceKeys();
  const device = await devices.add({ agent: 'a phone', key: browser.key, pairedAt: NOW });
  return { devices, browser, device, signIn: deviceSignIn('bWFjaGluZQ', devices), folder };
}

describe('the key of a device', () => {
  it('signs in for ten minutes, as often as needed, also after a restart', async () => {
    const { signIn, browser, device, folder } = await machine();
    const first = signIn.challenge(NOW);
    expect(signIn.check(browser.answer(device.name, first), NOW)).toEqual(device);
    const second = browser.answer(device.name, signIn.challenge(NOW));
    expect(signIn.check(second, NOW + MINUTE - 1)).toEqual(device);
    const restarted = deviceSignIn('bWFjaGluZQ', devicesIn(folder));
    const token = signIn.issue(device, NOW);
    expect(restarted.find(token, NOW + TOKEN_LIFETIME - 1)).toEqual(device);
    expect(restarted.find(token, NOW + TOKEN_LIFETIME)).toBeUndefined();
  });

  it('I-4: is needed: no answer works twice, late, for another device, or by another key', async () => {
    const { signIn, browser, device, devices } = await machine();
    const other = await devices.add({ agent: 'another', key: deviceKeys().key, pairedAt: NOW });
    const challenge = signIn.challenge(NOW);
    const answered = browser.answer(device.name, challenge);
    const last = answered.signature.endsWith('A') ? 'Q' : 'A';
    for (const forged of [
      { ...answered, device: other.name },
      { ...answered, device: 'phone-000000' },
      { ...answered, signature: '' },
      { ...answered, signature: `${answered.signature.slice(0, 20)}${last}${answered.signature.slice(21)}x` },
      { ...answered, challenge: signIn.challenge(NOW) },
      deviceKeys().answer(device.name, challenge),
      browser.answer(device.name, `${challenge}A`),
      browser.answer(device.name, challenge.replace(String(NOW + MINUTE), String(NOW + 9 * MINUTE))),
      browser.answer(device.name, deviceSignIn('b3RoZXI', devices).challenge(NOW)),
      // A token is not a challenge.
      browser.answer(device.name, signIn.issue(device, NOW)),
    ])
      expect([forged, signIn.check(forged, NOW)]).toEqual([forged, undefined]);
    expect(signIn.check(answered, NOW + MINUTE)).toBeUndefined();
    // Nor in another process, which does not know what was answered.
    const elsewhere = deviceSignIn('bWFjaGluZQ', devices);
    expect(elsewhere.isOpen(challenge, NOW)).toBe(false);
    expect(elsewhere.check(answered, NOW)).toBeUndefined();
    expect(signIn.isOpen(challenge, NOW)).toBe(true);
    expect(signIn.check(answered, NOW)).toEqual(device);
    expect(signIn.check(answered, NOW)).toBeUndefined();
    expect(signIn.isOpen(challenge, NOW)).toBe(false);
  });

  it('I-4: ends with the pairing, and so do its tokens', async () => {
    const { signIn, browser, device, devices } = await machine();
    const token = signIn.issue(device, NOW);
    expect(signIn.find(`${token}x`, NOW)).toBeUndefined();
    expect(signIn.find(token.replace(device.name, 'phone-000000'), NOW)).toBeUndefined();
    expect(signIn.find(signIn.challenge(NOW), NOW)).toBeUndefined();
    await devices.revoke(device.name);
    expect(signIn.find(token, NOW)).toBeUndefined();
    expect(signIn.check(browser.answer(device.name, signIn.challenge(NOW)), NOW)).toBeUndefined();
  });

  it('I-4: stays revoked, whatever another process writes at the same time', async () => {
    const { device, devices, folder } = await machine();
    // Another process has read the list, and is about to write it.
    const lock = await lockFile(join(folder, 'devices.lock'));
    if (!('release' in lock)) throw new Error('somebody else has the lock');
    const listed = devices.list();
    const revoked = devices.revoke(device.name);
    const other = { ...device, name: 'phone-000001' };
    writeFileSync(join(folder, 'devices.json'), JSON.stringify([...listed, other]));
    await lock.release();
    expect(await revoked).toBe(true);
    expect(devices.list()).toEqual([other]);
  });

  it('is on the curve that browsers use', () => {
    expect(isDeviceKey(deviceKeys().key)).toBe(true);
    for (const key of ['', 'x', deviceKeys('P-384').key, deviceKeys().key.slice(4)])
      expect([key, isDeviceKey(key)]).toEqual([key, false]);
  });
});
