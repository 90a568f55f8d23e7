import { afterAll, beforeAll, expect, test } from 'vitest'
import { silentLog } from '#kit/log'
import { createPlatformDatabase, type TestDatabase } from '#kit/testing/postgres'
import { openDatabase, type Db, type Tx } from './database.ts'
import { readAtOnce } from './read-at-once.ts'

let database: TestDatabase
let opened: ReturnType<typeof openDatabase>
beforeAll(async () => {
  database = await createPlatformDatabase()
  opened = openDatabase(database.adminConfig, silentLog)
})
afterAll(async () => {
  await opened.db.destroy()
  await database.drop()
})

const subjects = async (from: Db | Tx) =>
  (await from.selectFrom('platform.jobs').select('subject').execute()).map((row) => row.subject)
const add = (to: Db | Tx, subject: string) =>
  to.insertInto('platform.jobs').values({ name: 'a job', subject, failure: null }).execute()

test('what is written between two reads is in neither', async () => {
  await add(opened.db, 'before')
  const seen = await readAtOnce(opened.db, async (tx) => {
    const first = await subjects(tx)
    await add(opened.db, 'between')
    return [first, await subjects(tx)]
  })
  expect(seen).toEqual([['before'], ['before']])
  expect(await subjects(opened.db)).toEqual(['before', 'between'])
})

test('nothing can be written', async () => {
  await expect(readAtOnce(opened.db, (tx) => add(tx, 'never'))).rejects.toThrow('read-only')
})
