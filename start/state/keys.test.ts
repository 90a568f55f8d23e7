import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { openKeys, sealKeys } from './keys.ts'
import { Manifest, ObjectLine } from './layout.ts'

const hex = () => randomBytes(32).toString('hex')
const keys = { masterKey: hex(), platformPassword: 'p', manifest: hex() }
const passphrase = 'seven grey herons'

test('keys open with their passphrase, also typed with other composed letters', async () => {
  const sealed = await sealKeys(keys, `${passphrase} \u00e9`)
  expect(sealed).not.toContain(keys.masterKey)
  expect(await openKeys(sealed, `${passphrase} e\u0301`)).toEqual(keys)
})

test('they do not with another one, or once anything of them was changed', async () => {
  const sealed = await sealKeys(keys, passphrase)
  await expect(openKeys(sealed, `${passphrase}.`)).rejects.toThrow('the passphrase is not the one')
  const parts = JSON.parse(sealed) as Record<string, unknown>
  for (const name of ['nonce', 'tag', 'text']) {
    const changed = JSON.stringify({ ...parts, [name]: randomBytes(16).toString('base64') })
    await expect(openKeys(changed, passphrase), name).rejects.toThrow('the passphrase is not')
  }
  const cheap = { ...parts, kdf: { n: 2, r: 8, p: 1, salt: 'AA==' } }
  for (const text of ['', '{}', 'null', JSON.stringify(cheap)])
    await expect(openKeys(text, passphrase), text).rejects.toThrow('its keys cannot be read')
})

test.each(['../x', 'ab/../x', '/etc/passwd', 'ab/x/y', 'ab', 'ab/', 'ab/X', 'ab/\u0000'])(
  'no list of stored files leads to %j',
  (place) => {
    const line = { place, bytes: 1, sha256: hex() }
    expect(ObjectLine.safeParse(line).success).toBe(false)
    expect(ObjectLine.safeParse({ ...line, place: 'ab/abcd-1' }).success).toBe(true)
  },
)

test('no manifest names a project by a path', () => {
  const file = { bytes: 1, sha256: hex() }
  const manifest = (ref: string) => ({
    format: 'plinth platform backup',
    version: 1,
    platform: '1',
    takenAt: new Date().toISOString(),
    database: file,
    projects: [{ ref, base: file, facts: file }],
    objects: null,
  })
  expect(Manifest.safeParse(manifest('abcdefghijklmnopqrst')).success).toBe(true)
  for (const ref of ['../../../../../../etc', 'abcdefghij', 'abcdefghijklmnopqrs/'])
    expect(Manifest.safeParse(manifest(ref)).success, ref).toBe(false)
})
