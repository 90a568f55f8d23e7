import { createHash, randomUUID } from 'node:crypto'
import { expect, onTestFinished, test, vi } from 'vitest'
import { hashUserId, keepReportingId } from './user-hash.ts'

test('a user is known by the SHA-256 of their id, in base64', async () => {
  const id = randomUUID()
  expect(await hashUserId(id)).toBe(createHash('sha256').update(id).digest('base64'))
  expect(await hashUserId('')).toBe('47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=')
})

test('whoever has signed out while it was hashed leaves no id behind', async () => {
  onTestFinished(() => void vi.unstubAllGlobals())
  const kept: unknown[] = []
  vi.stubGlobal('isSecureContext', true)
  vi.stubGlobal('localStorage', { setItem: (...item: unknown[]) => kept.push(item) })
  let isThere = true
  const keeping = keepReportingId('', () => isThere)
  isThere = false
  await keeping
  expect(kept).toEqual([])
  await keepReportingId('', () => true)
  expect(kept).toEqual([['plinth.reporting-id', await hashUserId('')]])
})
