import { expect, test } from 'vitest'
import { newPassword } from './DatabasePassword.tsx'

test('24 characters that need no escaping in a URL, different each time', () => {
  const made = Array.from({ length: 200 }, () => newPassword())
  for (const password of made) {
    expect(password).toHaveLength(24)
    expect(encodeURIComponent(password)).toBe(password)
    expect(password).not.toMatch(/[lIO01]/)
  }
  expect(new Set(made).size).toBe(200)
})

test('bytes that would favour some characters are thrown away', () => {
  let calls = 0
  const password = newPassword((bytes) => bytes.fill((calls += 1) === 1 ? 255 : 0))
  expect(password).toBe('a'.repeat(24))
  expect(calls).toBe(2)
})
