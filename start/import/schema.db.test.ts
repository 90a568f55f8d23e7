import { afterAll, beforeAll, expect, test } from 'vitest'
import { importData } from './data.ts'
import type { Run } from './run.ts'
import { finishAfter, importAfter, importBefore } from './schema.ts'
import { sampleRows, sampleSchema } from './testing/sample.ts'
import { startTwoDatabases, type TwoDatabases } from './testing/two-databases.ts'

let world: TwoDatabases

beforeAll(async () => {
  world = await startTwoDatabases([...sampleSchema, ...sampleRows])
})
afterAll(() => world.end())

async function importAll(run: Run) {
  await importBefore(run)
  await importData(run)
  await finishAfter(run, await importAfter(run))
}

test('everything that people have made is the same on the other side', async () => {
  const told = await world.run(importAll)
  expect(told.left_out).toEqual([])
  expect(await world.structure('target')).toEqual(await world.structure('source'))
})
