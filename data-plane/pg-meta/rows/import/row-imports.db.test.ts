import { randomUUID } from 'node:crypto'
import { readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { withClient } from '#kit/postgres/client'
import { ref, startMeta, type Meta } from '../../../testing/pg-meta/pg-meta.ts'
import { fileOf, transferOf, type State, type Transfer } from '../../../testing/pg-meta/transfer.ts'

let meta: Meta
let transfer: Transfer
beforeAll(async () => {
  meta = await startMeta()
  transfer = transferOf(meta)
  await meta.sql('create table rows (id int primary key, name text)')
})
beforeEach(async () => {
  await meta.sql('truncate rows')
  for (const { id } of (await meta.call('GET', 'imports')).body as State[])
    await meta.call('DELETE', `imports/${id}`)
})
afterAll(() => meta.close())

const rows = { table: 'rows', columns: ['id', 'name'] }
const text = `id,name\n${Array.from({ length: 2000 }, (_, i) => `${i},name ${i}\n`).join('')}`
const count = async () => Number((await meta.sql('select count(*) as n from rows'))[0]?.['n'])
const begun = async (file = text) => (await transfer.started(rows, file)).body as State
const files = async () => (await readdir(join(meta.importFolder, ref))).length
const recordOf = (id: string) => join(meta.importFolder, ref, id, 'record.json')

test.each<[string, object, number]>([
  ['an unknown table', { table: 'nothing' }, 400],
  ['an unknown column', { columns: ['id', 'no'] }, 400],
  ['no column at all', { columns: [null] }, 400],
  ['an unknown delimiter', { delimiter: 'x' }, 400],
  ['an empty file', { file: { ...fileOf('a'), size: 0 } }, 400],
  ['a file without a name', { file: { ...fileOf('a'), name: '' } }, 400],
  ['more than a file can have', { file: { ...fileOf('a'), size: 10e9 + 1 } }, 413],
  ['more than the disk has', { file: { ...fileOf('a'), size: 9.9e9 } }, 507],
])('an import of %s is refused', async (_, input, status) => {
  const app = status === 507 ? meta.another({ reservedBytes: 1e18 }) : meta.app
  const answer = await app.inject({
    method: 'POST',
    url: `/${ref}/imports`,
    headers: { 'x-plinth-login': 'postgres' },
    body: { schema: 'public', file: fileOf(text), ...rows, ...input },
  })
  expect(answer.statusCode, answer.body).toBe(status)
  if (app !== meta.app) await app.close()
  expect((await meta.call('GET', 'imports')).body).toEqual([])
})

test('members who may only read cannot import, and the fifth at once has to wait', async () => {
  const refused = await transfer.started(rows, text, 'plinth_read_only')
  expect(refused).toMatchObject({ status: 403, body: { code: 'not_allowed' } })
  for (let i = 0; i < 4; i++) await begun()
  expect((await transfer.started(rows, text)).status).toBe(429)
})

test('an import that is not there, or is somebody else’s, is not found', async () => {
  const { id } = await begun()
  const piece = { offset: 0, text: 'x' }
  const strangers = { 'x-plinth-login': 'postgres', 'x-plinth-caller': 'eve@example.com' }
  for (const [at, headers] of [
    [randomUUID(), { 'x-plinth-login': 'postgres' }],
    [id, strangers],
  ] as const) {
    const ask = (method: 'GET' | 'POST' | 'DELETE', rest: string, body?: object) =>
      meta.app.inject({
        method,
        url: `/${ref}/imports/${at}${rest}`,
        headers,
        ...(body && { body }),
      })
    expect((await ask('GET', '')).statusCode).toBe(404)
    expect((await ask('GET', '/bad-rows')).statusCode).toBe(404)
    expect((await ask('POST', '/pieces', piece)).statusCode).toBe(404)
    expect((await ask('POST', '/finish', {})).statusCode).toBe(404)
    expect((await ask('DELETE', '')).json()).toEqual({ cancelled: false })
  }
  expect((await meta.call('GET', 'imports/..%2F..%2Fetc')).status).toBe(400)
  expect((await meta.app.inject({ url: `/${ref}/imports`, headers: strangers })).json()).toEqual([])
})

test('pieces out of order, twice, or beyond the end are refused and change nothing', async () => {
  const { id } = await begun()
  const at = `imports/${id}/pieces`
  expect((await meta.call('POST', `imports/${id}/finish`, {})).status).toBe(409)
  expect((await meta.call('POST', at, { offset: 5, text: 'x' })).body).toMatchObject({
    code: 'conflict',
    received: 0,
  })
  await transfer.sent(id, text.slice(0, 100))
  const twice = await meta.call('POST', at, { offset: 0, text: text.slice(0, 100) })
  expect(twice).toMatchObject({ status: 409, body: { received: 100 } })
  const long = await meta.call('POST', at, { offset: 100, text: text.repeat(2) })
  expect(long).toMatchObject({ status: 413, body: { code: 'body_too_large' } })
  expect(await transfer.sent(id, text, 5000, 100)).toMatchObject({
    body: { phase: 'receiving', received: text.length },
  })
  expect(await count()).toBe(0)
  await meta.call('POST', `imports/${id}/finish`, {})
  expect(await transfer.ended(id)).toMatchObject({ kept: true, rows: 2000, read: text.length })
  expect(await meta.call('POST', `imports/${id}/finish`, {})).toMatchObject({
    body: { phase: 'done' },
  })
  expect((await meta.call('POST', at, { offset: 0, text: 'x' })).status).toBe(409)
  expect(await count()).toBe(2000)
})

test('a connection that is lost in the midst of a piece leaves what was there before', async () => {
  const { id } = await begun()
  await transfer.sent(id, text.slice(0, 100))
  const url = new URL(await meta.app.listen({ host: '127.0.0.1', port: 0 }))
  await new Promise<void>((resolve, reject) => {
    const socket = connect(Number(url.port), '127.0.0.1')
    socket.on('error', reject).on('close', () => resolve())
    socket.write(
      `POST /${ref}/imports/${id}/pieces HTTP/1.1\r\nHost: x\r\nX-Plinth-Login: postgres\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n{"offset":100,"text":"lost`,
      () => socket.end(),
    )
    socket.resume()
  })
  expect((await meta.call('GET', `imports/${id}`)).body).toMatchObject({ received: 100 })
  expect((await transfer.sent(id, text, 9000, 100)).status).toBe(200)
})

test('a full disk is said to be full, and the file can go on when it is not', async () => {
  const { id } = await begun()
  const data = join(meta.importFolder, ref, id, 'data')
  await rm(data)
  await symlink('/dev/full', data)
  expect(await transfer.sent(id, text)).toMatchObject({ status: 507, body: { code: 'disk_full' } })
  await rm(data)
  await writeFile(data, '')
  expect((await transfer.sent(id, text)).status).toBe(200)
})

test('after a restart the upload goes on where it was, at a whole character', async () => {
  const { id } = await begun()
  await transfer.sent(id, text.slice(0, 100))
  await writeFile(
    join(meta.importFolder, ref, id, 'data'),
    Buffer.from(`${text.slice(0, 90)}🙂`).subarray(0, 93),
  )
  const app = meta.another()
  const state = await app.inject({
    url: `/${ref}/imports/${id}`,
    headers: { 'x-plinth-login': 'postgres' },
  })
  expect(state.json()).toMatchObject({ phase: 'receiving', received: 90 })
  await app.close()
})

/** Runs `work` while the table is held, so that whatever loads it waits in the midst. */
const whileHeld = (work: (loading: () => Promise<void>) => Promise<void>) =>
  withClient(meta.db.configFor('postgres'), async (other) => {
    await other.query('begin')
    await other.query('lock table rows in access exclusive mode')
    const sql = `select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and query like 'copy%'`
    await work(() => expect.poll(async () => (await meta.sql(sql))[0]?.['n']).toBe(1))
    await other.query('rollback')
  })

test('an import that is cancelled while it loads leaves nothing', async () => {
  await whileHeld(async (loading) => {
    const { id } = await begun()
    await transfer.sent(id, text)
    await meta.call('POST', `imports/${id}/finish`, {})
    await loading()
    expect((await meta.call('DELETE', `imports/${id}`)).body).toEqual({ cancelled: true })
    expect((await meta.call('GET', `imports/${id}`)).status).toBe(404)
  })
  expect(await count()).toBe(0)
  expect(await files()).toBe(0)
})

test('cut off from the database it begins again by itself, and the rows are there once', async () => {
  const { id } = await begun()
  await transfer.sent(id, text)
  await whileHeld(async (loading) => {
    await meta.call('POST', `imports/${id}/finish`, {})
    await loading()
    const lost = `select pg_terminate_backend(pid) from pg_stat_activity where query like 'copy%'`
    await meta.sql(lost)
    await loading()
  })
  expect(await transfer.ended(id)).toMatchObject({ kept: true, rows: 2000 })
  expect(await count()).toBe(2000)
})

test('stopped in the database, or with its table dropped, it fails and says so', async () => {
  await meta.sql('create table doomed (id int, name text)')
  const doomed = (await transfer.started({ ...rows, table: 'doomed' }, text)).body as State
  await transfer.sent(doomed.id, text)
  await meta.sql('drop table doomed')
  await meta.call('POST', `imports/${doomed.id}/finish`, {})
  expect(await transfer.ended(doomed.id)).toMatchObject({
    phase: 'failed',
    kept: false,
    problem: expect.stringContaining('relation "public.doomed" does not exist'),
  })
  const { id } = await begun()
  await transfer.sent(id, text)
  await whileHeld(async (loading) => {
    await meta.call('POST', `imports/${id}/finish`, {})
    await loading()
    await meta.sql(`select pg_cancel_backend(pid) from pg_stat_activity where query like 'copy%'`)
    expect(await transfer.ended(id)).toMatchObject({ phase: 'failed', kept: false })
  })
  expect(await count()).toBe(0)
})

test('a second program that finds it, or one that ended in the moment of the commit, loads it once', async () => {
  const { id } = await begun()
  await transfer.sent(id, text)
  let second: ReturnType<Meta['another']> | undefined
  await whileHeld(async (loading) => {
    await meta.call('POST', `imports/${id}/finish`, {})
    await loading()
    second = meta.another()
    await second.ready()
    const waits = `select count(*)::int as n from pg_locks where locktype = 'advisory' and not granted`
    await expect.poll(async () => (await meta.sql(waits))[0]?.['n']).toBe(1)
  })
  await transfer.ended(id)
  await second?.close()
  expect(await count()).toBe(2000)

  await meta.sql('truncate rows')
  const next = (await begun()).id
  await transfer.sent(next, text)
  const arrived = await readFile(join(meta.importFolder, ref, next, 'data'))
  const xid = await withClient(meta.db.configFor('postgres'), async (other) => {
    await other.query('begin')
    await other.query(`insert into rows values (1, 'kept before the crash')`)
    const { rows: found } = await other.query<{ xid: string }>(
      'select pg_current_xact_id()::text as xid',
    )
    await other.query('commit')
    return found[0]?.xid
  })
  const record = JSON.parse(await readFile(recordOf(next), 'utf8')) as object
  const outcome = { rows: 1, bad: 0, report: [], kept: true, problem: null }
  const crashed = { ...record, phase: 'loading', attempts: 1, xid, outcome }
  await writeFile(recordOf(next), JSON.stringify(crashed))
  expect(arrived.length).toBe(text.length)
  const again = meta.another()
  await again.ready()
  expect(await transfer.ended(next)).toMatchObject({ phase: 'done', kept: true, rows: 1 })
  await again.close()
  expect(await count()).toBe(1)
})

test('what brings the program down each time is given up, and what is a day old is removed', async () => {
  const { id } = await begun()
  await transfer.sent(id, text)
  const record = JSON.parse(await readFile(recordOf(id), 'utf8')) as object
  const tired = { ...record, phase: 'loading', attempts: 5 }
  await writeFile(recordOf(id), JSON.stringify(tired))
  const app = meta.another()
  await app.ready()
  expect(await transfer.ended(id)).toMatchObject({
    phase: 'failed',
    kept: false,
    problem: expect.stringContaining('given up'),
  })
  await app.close()
  const old = { ...record, started_at: '2026-01-01T00:00:00.000Z' }
  await writeFile(recordOf(id), JSON.stringify(old))
  const cut = (await begun()).id
  await writeFile(recordOf(cut), '{"id":')
  await utimes(join(meta.importFolder, ref, cut), 1, 1)
  expect((await meta.call('GET', 'imports')).status).toBe(200)
  const later = meta.another()
  const headers = { 'x-plinth-login': 'postgres' }
  expect((await later.inject({ url: `/${ref}/imports`, headers })).json()).toEqual([])
  await later.close()
  expect(await files()).toBe(0)
})
