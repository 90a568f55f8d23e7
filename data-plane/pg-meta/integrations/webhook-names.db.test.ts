import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changeDelivery } from '#contract/ddl/webhook-settings'
import { usualHookSettings, webhookCalls as api } from '#contract/integrations/webhook-calls'
import { root } from '#kit/root'
import { startMeta, type Meta } from '../../testing/pg-meta/pg-meta.ts'

/** Schemas, tables, columns and hooks whose names are SQL: the page asks for them, and nothing of them runs. */
const schema = `s"x'; drop table public.witness; --`
const table = `or"ders'; drop table public.witness; --`
const column = `a'b"c, 'x'); drop table public.witness; --`
const name = `x'; drop table public.witness; --`
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`

let meta: Meta
let tableId: number
beforeAll(async () => {
  meta = await startMeta()
  await meta.sql(await readFile(join(root, 'data-plane/webhooks/schema.sql'), 'utf8'))
  const of = `${quoted(schema)}.${quoted(table)}`
  await meta.sql(`create table public.witness (); create schema supabase_migrations;
    create schema ${quoted(schema)}; create table ${of} (id int primary key, ${quoted(column)} text);
    create trigger ${quoted(name)} after insert on ${of} for each row
      execute function supabase_functions.http_request('https://example.com/in');
    insert into ${of} values (1, 'v')`)
  const [row] = await meta.sql(
    `select oid::int as id from pg_class where relname like 'or"ders%' and relkind = 'r'`,
  )
  tableId = Number(row?.['id'])
})
afterAll(() => meta.close())

const ask = async (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) => {
  const answer = await meta.call(method, path, body)
  expect(answer.status, path).toBe(200)
  expect(await meta.sql(`select to_regclass('public.witness')::text as witness`)).toEqual([
    { witness: 'witness' },
  ])
  return answer.body
}
const of = () => ({ table_id: tableId, name })
const hook = async () => api.hooks.returns.parse(await ask('GET', 'webhooks')).hooks[0]

test('it is listed, previewed, tested, paused and replayed by its names', async () => {
  expect(await hook()).toMatchObject({ name, table_id: tableId })
  const query = new URLSearchParams({ table_id: String(tableId), event: 'INSERT' })
  const { body } = api.preview.returns.parse(await ask('GET', `webhooks/preview?${query}`))
  expect(JSON.parse(body ?? '')).toMatchObject({ table, schema, record: { id: 1, [column]: 'v' } })
  api.test.returns.parse(await ask('POST', 'webhooks/test', of()))
  await ask('PATCH', 'webhooks', { ...of(), paused: true, order_by: [column] })
  expect((await hook())?.settings).toMatchObject({ paused: true, order_by: [column] })
  await meta.sql(`update supabase_functions.deliveries set state = 'dead', ended_at = now()`)
  expect(await ask('POST', 'webhooks/replay', of())).toEqual({ replayed: 2 })
})

test('its settings are a migration that carries out and takes back what it says', async () => {
  const wanted = { ...usualHookSettings, max_attempts: 7, order_by: [column] }
  const change = changeDelivery({ schema, table, name }, wanted, usualHookSettings)
  const settings = async () => (await hook())?.settings
  await ask('POST', 'changes', change)
  expect(await settings()).toMatchObject({ max_attempts: 7, order_by: [column] })
  await ask('POST', 'changes', { name: change.name, statements: change.inverse })
  expect(await settings()).toMatchObject({ max_attempts: 1, order_by: null })
})
