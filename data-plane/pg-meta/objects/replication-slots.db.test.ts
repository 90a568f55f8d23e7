import { afterAll, beforeAll, test } from 'vitest'
import { withClient } from '#kit/postgres/client'
import { startMeta, type Meta } from '../../testing/pg-meta/pg-meta.ts'

let meta: Meta
beforeAll(async () => {
  meta = await startMeta()
})
afterAll(() => meta.close())

/** To make a slot the server reads what others commit and take back; where that changed the schema, the statement used to fail. */
test('slots are made while others change the schema', async () => {
  let going = true
  const change = (table: string, end: string) =>
    withClient(meta.db.configFor('postgres'), async (client) => {
      while (going)
        await client.query(`begin; create table ${table} (id int); select pg_sleep(0.001); ${end}`)
    })
  const changes = ['one', 'two'].flatMap((name) => [
    change(`kept_${name}`, `drop table kept_${name}; commit`),
    change(`taken_back_${name}`, 'rollback'),
  ])
  try {
    for (let turn = 0; turn < 40; turn += 1) {
      await meta.sql("select extensions.create_replication_slot('raced')")
      await meta.sql("select extensions.drop_replication_slot('raced')")
    }
  } finally {
    going = false
    await Promise.all(changes)
  }
})
