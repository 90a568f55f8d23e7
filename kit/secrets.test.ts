import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { createSecrets, loadMasterKey } from './secrets.ts'

const folder = mkdtempSync(join(tmpdir(), 'plinth-secrets-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('what was sealed opens for its own identity and key only', () => {
  const secrets = createSecrets(randomBytes(32))
  const others = createSecrets(randomBytes(32))
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, identity) => {
      const sealed = secrets.seal(text, identity)
      expect(secrets.open(sealed, identity)).toBe(text)
      expect(() => secrets.open(sealed, `${identity}x`)).toThrow()
      expect(() => others.open(sealed, identity)).toThrow()
    }),
    { numRuns: 50 },
  )
})

test('any change of a sealed text is noticed', () => {
  const secrets = createSecrets(randomBytes(32))
  const sealed = secrets.seal('swordfish', 'project:a')
  fc.assert(
    fc.property(fc.integer({ min: 0, max: sealed.length - 1 }), (at) => {
      const other = sealed[at] === 'A' ? 'B' : 'A'
      const changed = sealed.slice(0, at) + other + sealed.slice(at + 1)
      let opened: string | undefined
      try {
        opened = secrets.open(changed, 'project:a')
      } catch {
        opened = undefined
      }
      // The last letter of base64 holds spare bits: changing only those changes nothing.
      expect(opened === undefined || at === sealed.length - 1).toBe(true)
    }),
  )
})

test('the same text is sealed differently each time', () => {
  const secrets = createSecrets(randomBytes(32))
  expect(secrets.seal('a', 'b')).not.toBe(secrets.seal('a', 'b'))
  expect(secrets.derive('a')).toBe(secrets.derive('a'))
  expect(secrets.derive('a')).not.toBe(secrets.derive('b'))
})

test('the first start makes a key that only its user can read, later ones keep it', () => {
  const file = join(folder, 'deep', 'master-key')
  const first = loadMasterKey(file)
  expect(loadMasterKey(file).equals(first)).toBe(true)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8')).toMatch(/^[0-9a-f]{64}$/)
})

test.each([
  ['nonsense', /64 hexadecimal digits/],
  ['0'.repeat(64), /well-known/],
])('the key %s is refused', (key, why) => {
  expect(() => loadMasterKey(join(folder, 'unused'), key)).toThrow(why)
})
