import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunEvent } from '#contract/database/sql/sql-query'
import { startMeta, type Meta } from '../testing/pg-meta/pg-meta.ts'

/** Members who may look and not touch run SQL by a login of their own, and in a transaction that only reads. */
let meta: Meta
beforeAll(async () => {
  meta = await startMeta()
  await meta.sql(`create table guarded (id int); insert into guarded values (1);
    create function wipe() returns int language sql security definer as 'delete from guarded returning 1';
    grant execute on function wipe() to public; grant select on guarded to plinth_read_only`)
})
afterAll(() => meta.close())

const errorsOf = (events: RunEvent[]) => events.filter(({ type }) => type === 'error')

test('the read-only login cannot write, whatever it tries', async () => {
  const texts: [string, string][] = [
    ['set transaction read write; begin read write; create table nope ()', '25001'],
    ['set default_transaction_read_only = off; select wipe()', '25006'],
    ['commit; set default_transaction_read_only = off; select wipe()', '25006'],
    ['delete from guarded', '25006'],
  ]
  for (const [query, code] of texts) {
    const events = await meta.run({ query }, 'plinth_read_only')
    expect([query, errorsOf(events)]).toMatchObject([query, [{ error: { code } }]])
  }
  expect(await meta.sql('select id from guarded')).toEqual([{ id: 1 }])
})

test('nor by the call that answers at once', async () => {
  const ask = (query: string) => meta.call('POST', 'query', { query }, 'plinth_read_only')
  expect(await ask('select id from guarded')).toMatchObject({ status: 200, body: [{ id: 1 }] })
  for (const query of [
    'select wipe()',
    'commit; select wipe()',
    'set transaction read write',
    "do $$ begin commit; perform set_config('default_transaction_read_only', 'off', false); perform wipe(); end $$",
  ]) {
    expect([query, (await ask(query)).status]).toEqual([query, 400])
  }
  await ask('set session characteristics as transaction read write')
  expect((await ask('select wipe()')).status).toBe(400)
  expect(await meta.sql('select id from guarded')).toEqual([{ id: 1 }])
})
