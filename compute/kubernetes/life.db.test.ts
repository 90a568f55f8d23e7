import { afterAll, beforeAll, expect, test } from 'vitest'
import { withClient } from '#kit/postgres/client'
import type { DatabaseAddress } from '../provider.ts'
import { specOf, testRef } from '../testing/conformance-project.ts'
import { kubernetesHarness, type KubernetesHarness } from '../testing/kubernetes/harness.ts'
import { customerRole } from './objects.ts'

let harness: KubernetesHarness
beforeAll(async () => {
  harness = await kubernetesHarness()
})
afterAll(() => harness.close())

/** The first column of the first row, as the customer. */
const ask = (at: DatabaseAddress, ref: string, sql: string) =>
  withClient(
    {
      host: at.socketDir,
      port: at.port,
      user: customerRole,
      password: specOf(ref).passwords.postgres,
      database: at.name ?? '',
      ssl: { rejectUnauthorized: false },
    },
    async (client) => {
      const { rows } = await client.query<Record<string, unknown>>(sql)
      return Object.values(rows[0] ?? {})[0]
    },
  )

test('a project comes, is entered, pauses, comes back with its rows, and goes', async () => {
  const { provider } = harness
  const ref = testRef()
  const at = await provider.create(specOf(ref))
  expect(await ask(at, ref, 'create table t as select 7 as n')).toBeUndefined()
  expect(await provider.inspect(ref)).toEqual({ state: 'running', address: at })
  await provider.stop(ref)
  expect(await provider.inspect(ref)).toEqual({ state: 'stopped' })
  await expect(ask(at, ref, 'select 1')).rejects.toThrow('ECONNREFUSED')
  const again = await provider.start(ref)
  expect(await ask(again, ref, 'select n from t')).toBe(7)
  await provider.destroy(ref)
  expect(await provider.inspect(ref)).toEqual({ state: 'absent' })
  expect(await harness.tracesOf(ref)).toEqual([])
  expect(harness.operator.errors).toEqual([])
})
