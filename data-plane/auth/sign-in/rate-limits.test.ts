import { expect, test } from 'vitest'
import { silentLog } from '#kit/log'
import type { RateLimit } from '../config.ts'
import type { Caller } from '../tenant.ts'
import { createRateLimits, type SharedCounts } from './rate-limits.ts'

const limit: RateLimit = { points: 3, seconds: 60 }
// Of a caller nothing but its tenant and its limits is read here.
const caller = {
  ip: '192.0.2.1',
  tenant: { id: 'shop', config: { rateLimits: { passwordFailures: limit, token: limit } } },
} as unknown as Caller

/** One place for all, which can be away. */
function place() {
  const points = new Map<string, number>()
  const state = { isAway: false }
  const counts: SharedCounts = {
    async count(key, { points: most }) {
      if (state.isAway) throw new Error('away')
      points.set(key, (points.get(key) ?? 0) + 1)
      return (points.get(key) ?? 0) > most ? 60 : undefined
    },
    async giveBack(key) {
      if (state.isAway) throw new Error('away')
      points.set(key, (points.get(key) ?? 0) - 1)
    },
  }
  return { counts, points, state }
}

test('programs that count together let through as many as one', async () => {
  const { counts, points } = place()
  const programs = [1, 2, 3].map(() => createRateLimits(silentLog, () => counts))
  const tries = [0, 1, 2, 0, 1, 2].map((at) =>
    programs[at]?.attempt(caller, 'passwordFailures', 'ada@example.com').then(
      () => 'let through',
      (error: { code?: string }) => error.code,
    ),
  )
  const all = await Promise.all(tries)
  expect(all.filter((one) => one === 'let through')).toHaveLength(3)
  expect(all.filter((one) => one === 'over_request_rate_limit')).toHaveLength(3)
  // What it is about is not told.
  for (const key of points.keys()) expect(key).toMatch(/^[0-9a-f]{64}$/)
})

test('a success is given back there', async () => {
  const { counts } = place()
  const program = createRateLimits(silentLog, () => counts)
  for (let n = 0; n < 10; n += 1) {
    const giveBack = await program.attempt(caller, 'passwordFailures', 'ada@example.com')
    await giveBack()
  }
})

test('while nobody can be asked a program counts for itself', async () => {
  const { counts, state } = place()
  const program = createRateLimits(silentLog, () => counts)
  state.isAway = true
  for (let n = 0; n < 3; n += 1) await program.perAddress(caller, 'token')
  await expect(program.perAddress(caller, 'token')).rejects.toThrow()
  const giveBack = await program.attempt(caller, 'passwordFailures', 'bob@example.com')
  await giveBack()
  state.isAway = false
  await program.perAddress(caller, 'token')
})

test('alone it asks nobody', async () => {
  const program = createRateLimits(silentLog)
  for (let n = 0; n < 3; n += 1) await program.perAddress(caller, 'token')
  await expect(program.perAddress(caller, 'token')).rejects.toThrow()
})
