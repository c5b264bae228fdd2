import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as Keystore from 'ox/Keystore'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { solver, users } from '#src/devnet/accounts.ts'
import { readSigner } from './readSigner.ts'

const { address, privateKey } = solver
const password = 'correct horse battery staple'
let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'keys-'))
})
afterAll(() => rmSync(directory, { recursive: true }))

const write = (name: string, text: string): string => {
  const path = join(directory, name)
  writeFileSync(path, text)
  return path
}

const keystores = () => {
  const [scrypt, scryptOptions] = Keystore.scrypt({ password, n: 1024 })
  const [pbkdf2, pbkdf2Options] = Keystore.pbkdf2({ password, iterations: 1000 })
  return {
    scrypt: Keystore.encrypt(privateKey, scrypt, scryptOptions),
    pbkdf2: Keystore.encrypt(privateKey, pbkdf2, pbkdf2Options),
  }
}

/** @source go-ethereum: accounts/keystore, the test vector of the version 3 format. */
const published = {
  crypto: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: '6087dab2f9fdbbfaddc31a909735c1e6' },
    ciphertext: '5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46',
    kdf: 'pbkdf2',
    kdfparams: {
      c: 262144,
      dklen: 32,
      prf: 'hmac-sha256',
      salt: 'ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd',
    },
    mac: '517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2',
  },
  id: '3198bc9c-6672-5ab3-d995-4942343ae5b6',
  version: 3,
}

/** @source go-ethereum: accounts/keystore, the other test vector. */
const publishedScrypt = {
  ...published,
  crypto: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: '83dbcc02d8ccb40e466191a123791e0e' },
    ciphertext: 'd172bf743a674da9cdad04534d56926ef8358534d458fffccd4e6ad2fbde479c',
    kdf: 'scrypt',
    kdfparams: {
      dklen: 32,
      n: 262144,
      p: 8,
      r: 1,
      salt: 'ab0c7876052600dd703518d6fc3fe8984592145b591fc8fb5c6d43190334ba19',
    },
    mac: '2103ac29920d71da29f15d75b4a16dbe95cfd7ff8faea1056c33131d846e3097',
  },
}

describe('readSigner', () => {
  it('reads a private key', async () => {
    const signer = await readSigner('solver', { kind: 'privateKey', privateKey }, address)
    expect(signer.address.toLowerCase()).toBe(address)
  })

  it.each(['scrypt', 'pbkdf2'] as const)('decrypts a keystore that uses %s', async (kdf) => {
    const path = write(`${kdf}.json`, JSON.stringify(keystores()[kdf]))
    const signer = await readSigner('solver', { kind: 'keystore', path, password }, address)
    expect(signer.address.toLowerCase()).toBe(address)
  })

  it('decrypts the published example, and reports both accounts if they differ', async () => {
    const path = write('published.json', JSON.stringify(published))
    const reading = readSigner(
      'solver',
      { kind: 'keystore', path, password: 'testpassword' },
      address,
    )
    await expect(reading).rejects.toThrow(
      `The solver’s key cannot be used (SOLVER_KEYSTORE): it belongs to 0x008aeeda4d805471df9b2a5b0f38a0c3bcba786b, but the configuration names ${address} as the solver`,
    )
  })

  it('decrypts the published example whose scrypt parameters OpenSSL refuses', async () => {
    const path = write('publishedScrypt.json', JSON.stringify(publishedScrypt))
    const source = { kind: 'keystore', path, password: 'testpassword' } as const
    const signer = await readSigner('solver', source)
    expect(signer.address.toLowerCase()).toBe('0x008aeeda4d805471df9b2a5b0f38a0c3bcba786b')
  })

  it('error messages contain no key and no password', async () => {
    const path = write('scrypt.json', JSON.stringify(keystores().scrypt))
    const broken = write('broken.json', JSON.stringify({ version: 3, crypto: privateKey }))
    const wrong = 'open sesame'
    const sources = [
      { kind: 'privateKey', privateKey: users[0].privateKey },
      { kind: 'privateKey', privateKey: `0x${'f'.repeat(64)}` },
      { kind: 'keystore', path, password: wrong },
      { kind: 'keystore', path: broken, password },
      { kind: 'keystore', path: join(directory, 'nowhere.json'), password },
    ] as const
    const messages = await Promise.all(
      sources.map((source) =>
        readSigner('solver', source, address).then(
          () => 'taken',
          (error: Error) => `${error.message} ${error.stack}`,
        ),
      ),
    )
    expect(
      messages.map((message) => /: (it is|it belongs|the keystore|\S+broken)/.test(message)),
    ).toEqual(sources.map(() => true))
    const secrets = [privateKey, users[0].privateKey, 'f'.repeat(64), password, wrong]
    for (const secret of secrets)
      expect(messages.join('\n')).not.toContain(secret.replace('0x', ''))
  })
})
