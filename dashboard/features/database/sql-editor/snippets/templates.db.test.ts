import { expect, test } from 'vitest'
import { createTestDatabase } from '#kit/testing/postgres'
import { withClient } from '#kit/postgres/client'
import { templateGroups } from './template-groups.ts'

const all = templateGroups.flatMap(({ templates }) => templates)

test('names are told apart, and every text says what it is for', () => {
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
  expect(all.filter(({ description, sql }) => !description || !sql.endsWith(';'))).toEqual([])
})

test('every text runs on a new project as its owner, twice', async () => {
  const db = await createTestDatabase()
  const failures: string[] = []
  await withClient(db.configFor('plinth_sql'), async (client) => {
    for (const round of [1, 2])
      for (const { name, sql } of all)
        await client
          .query({ text: sql })
          .catch((error: unknown) => failures.push(`${round} ${name}: ${String(error)}`))
  })
  await db.drop()
  expect(failures).toEqual([])
})
