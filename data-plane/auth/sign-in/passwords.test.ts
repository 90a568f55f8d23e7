import { hash } from '@node-rs/bcrypt'
import { expect, test } from 'vitest'
import { defaultAuthConfig } from '../config.ts'
import { checkPassword, createPasswords, isBcrypt } from './passwords.ts'

const config = defaultAuthConfig({ siteUrl: 'http://localhost' })

test('a password fits its own hash only', async () => {
  const passwords = createPasswords()
  const stored = await passwords.hash('secret1')
  expect(stored).toMatch(/^\$2b\$10\$/)
  expect(await passwords.fits('secret1', stored)).toBe(true)
  expect(await passwords.fits('secret2', stored)).toBe(false)
  expect(await passwords.fits('no user has this password', undefined)).toBe(false)
  expect(await passwords.fits('', null)).toBe(false)
  expect(await passwords.fits('', '')).toBe(false)
})

test('hashes wait their turn, and the queue has an end', async () => {
  const passwords = createPasswords({ concurrency: 1, queue: 2 })
  const work = Array.from({ length: 5 }, () => passwords.hash('x'))
  const settled = await Promise.allSettled(work)
  const refused = settled.filter((result) => result.status === 'rejected')
  expect(refused).toHaveLength(2)
  expect(refused[0]?.reason).toMatchObject({ status: 429, retryAfter: 2 })
  // A place is free again afterwards, also after a failure.
  expect(await passwords.hash('y')).toMatch(/^\$2b/)
})

test('the policy counts characters, classes and bytes', () => {
  expect(() => checkPassword(config, '12345')).toThrow('at least 6')
  expect(() => checkPassword(config, '😀😀😀😀😀😀')).not.toThrow()
  expect(() => checkPassword(config, 'x'.repeat(73))).toThrow('72 bytes')
  const picky = { ...config, passwordRequiredCharacters: ['abc', '123'] }
  expect(() => checkPassword(picky, 'zzzzzz9')).toThrow('abc, 123')
  expect(() => checkPassword(picky, 'zzzzzza1')).not.toThrow()
})

test('only bcrypt hashes of a bearable cost are verified', async () => {
  expect(isBcrypt(await hash('x', 4))).toBe(true)
  for (const text of [
    '',
    'x',
    '$2b$31$' + 'a'.repeat(53),
    '$2b$03$' + 'a'.repeat(53),
    '$2b$10$short',
  ]) {
    expect(isBcrypt(text)).toBe(false)
  }
})
