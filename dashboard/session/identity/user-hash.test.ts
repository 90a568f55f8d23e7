import { createHash, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { hashUserId } from './user-hash.ts'

test('a user is known by the SHA-256 of their id, in base64', async () => {
  const id = randomUUID()
  expect(await hashUserId(id)).toBe(createHash('sha256').update(id).digest('base64'))
  expect(await hashUserId('')).toBe('47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=')
})
