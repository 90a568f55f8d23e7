import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '#kit/root'
import { ownedProject } from '../../testing/owned-project.ts'

let project: Awaited<ReturnType<typeof ownedProject>>
beforeAll(async () => {
  project = await ownedProject()
  await project.rows('create extension if not exists pg_net with schema extensions')
})
afterAll(() => project.close())

const rows = (sql: string, values: unknown[] = []) => project.rows(sql, values)
const queued = async (call: string) => {
  const [made] = await rows(`select ${call} as id`)
  const waiting = `select method, url, headers, convert_from(body, 'UTF8') as body, timeout_milliseconds
    from net.http_request_queue where id = $1`
  return (await rows(waiting, [made?.['id']]))[0]
}

describe('refused', () => {
  test.each([
    ['no address', 'select net.http_get(null)', '22004'],
    [
      'another method',
      `insert into net.http_request_queue (method, url, headers, timeout_milliseconds)
      values ('PATCH', 'https://example.com', '{}', 1000)`,
      '23514',
    ],
  ])('%s', async (_, sql, code) => {
    await expect(rows(sql)).rejects.toMatchObject({ code })
  })

  test('strangers call nothing and read nothing; the services call', async () => {
    for (const role of ['authenticator_anon', 'authenticator_authenticated']) {
      const client = await project.as(project.logins.service(role))
      for (const sql of [
        `select net.http_get('https://example.com')`,
        `select net._enqueue('GET', 'https://example.com', '{}', '{}', null, 1000)`,
        'table net.http_request_queue',
        'table net._http_response',
      ])
        await expect(client.query(sql), `${sql} as ${role}`).rejects.toMatchObject({
          code: '42501',
        })
    }
    const service = await project.as(project.logins.service('authenticator_service_role'))
    const { rows: made } = await service.query(`select net.http_get('https://example.com') as id`)
    expect(made).toHaveLength(1)
    for (const sql of ['table net.http_request_queue', 'table net._http_response'])
      await expect(service.query(sql)).rejects.toMatchObject({ code: '42501' })
  })

  test('a schema of that name which is not one of webhooks stays as it is', async () => {
    const other = await ownedProject()
    await other.rows('create schema net; create table net.own (id int)')
    await expect(other.rows('create extension pg_net')).rejects.toMatchObject({ code: '42P06' })
    await other.rows('drop schema net cascade; create extension pg_net')
    await other.close()
  })
})

test('each function puts a call into the queue, with its defaults', async () => {
  expect(await queued(`net.http_get('https://example.com/a?b=1', '{"q":"é &="}')`)).toEqual({
    method: 'GET',
    url: 'https://example.com/a?b=1&q=%C3%A9%20%26%3D',
    headers: {},
    body: null,
    timeout_milliseconds: 5000,
  })
  expect(await queued(`net.http_post(url := 'https://example.com', body := '{"n":1}')`)).toEqual({
    method: 'POST',
    url: 'https://example.com',
    headers: { 'Content-Type': 'application/json' },
    body: '{"n": 1}',
    timeout_milliseconds: 5000,
  })
  expect(
    await queued(
      `net.http_delete('https://example.com', timeout_milliseconds := 99999999, body := '[]')`,
    ),
  ).toMatchObject({ method: 'DELETE', body: '[]', timeout_milliseconds: 30_000 })
})

test('what became of a call is collected: nothing yet, an answer, a failure, no such call', async () => {
  const [made] = await rows(`select net.http_get('https://example.com') as id`)
  const id = Number(made?.['id'])
  const collected = async (of: number) =>
    (
      await rows(
        `select (r).status, (r).message, ((r).response).status_code, ((r).response).body
         from (select net._http_collect_response($1) as r)`,
        [of],
      )
    )[0]
  expect(await collected(id)).toMatchObject({ status: 'PENDING' })
  await rows(
    'insert into net._http_response (id, status_code, headers, content) values ($1, 201, $2, $3)',
    [id, '{}', 'made'],
  )
  expect(await collected(id)).toEqual({
    status: 'SUCCESS',
    message: 'ok',
    status_code: 201,
    body: 'made',
  })
  await rows(`update net._http_response set error_msg = 'no route' where id = $1`, [id])
  expect(await collected(id)).toMatchObject({ status: 'ERROR', message: 'no route' })
  expect(await collected(id + 1000)).toMatchObject({ status: 'ERROR' })
})

test('whether somebody sends is told by who holds the lock', async () => {
  await expect(rows('select net.check_worker_is_up()')).rejects.toThrow(/worker is not up/)
  await rows(`select pg_advisory_lock_shared(hashtextextended('plinth_net', 0))`)
  await rows('select net.check_worker_is_up(), net.wait_until_running()')
  expect(await rows('select net.worker_restart() as done')).toEqual([{ done: true }])
  await rows('select pg_advisory_unlock_all()')
})

test('it is dropped and created again', async () => {
  await rows('drop extension pg_net')
  expect(await rows(`select to_regnamespace('net') as schema`)).toEqual([{ schema: null }])
  await rows('create extension pg_net')
  expect(await rows('select count(*)::int from net.http_request_queue')).toEqual([{ count: 0 }])
})

describe('a project whose webhooks were enabled before there was the extension', () => {
  const before = readFileSync(join(root, 'kit/testing/webhooks-before.sql'), 'utf8')

  test('keeps its calls, its answers and what was built on them', async () => {
    const old = await ownedProject()
    await old.rows(before)
    await old.rows(`create view failed as select id, error_msg from net._http_response where error_msg is not null;
      create table orders (id int primary key);
      create trigger tell after insert on orders for each row
        execute function supabase_functions.http_request('https://example.com', 'POST', '{}', '{}', '1000');
      insert into orders values (1);
      select net.http_get('https://example.com/waits');
      insert into net._http_response (id, status_code) values (77, 200)`)
    const waiting = () =>
      old.rows(
        `select id, method, url, encode(body, 'escape')::jsonb ->> 'type' as type from net.http_request_queue order by id`,
      )
    await old.rows('create extension pg_net with schema extensions')
    expect(await waiting()).toEqual([
      { id: 1, method: 'POST', url: 'https://example.com', type: 'INSERT' },
      { id: 2, method: 'GET', url: 'https://example.com/waits', type: null },
    ])
    await old.rows('insert into orders values (2)')
    expect((await waiting()).at(-1)).toEqual({
      id: 78,
      method: 'POST',
      url: 'https://example.com',
      type: 'INSERT',
    })
    expect(await old.rows('table failed')).toEqual([])
    const members = await old.rows(`select count(*)::int from pg_depend
      where deptype = 'e' and refobjid = (select oid from pg_extension where extname = 'pg_net')`)
    // Nothing of the schema is left beside the extension.
    const loose =
      await old.rows(`select p.oid::regprocedure from pg_proc p where pronamespace = 'net'::regnamespace
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`)
    expect(loose).toEqual([])
    expect(Number(members[0]?.['count'])).toBeGreaterThan(20)
    await old.rows('drop extension pg_net cascade')
    expect(await old.rows(`select to_regnamespace('net') as schema`)).toEqual([{ schema: null }])
    await old.close()
  })
})

test('what stands in a path of its own changes nothing', async () => {
  const other = await ownedProject()
  await other.rows(`create schema mine;
    create function mine.now() returns timestamptz language sql as $$ select 'epoch'::timestamptz $$;
    create function mine.pg_notify(text, text) returns void language sql as $$ select $$;
    set search_path = mine, pg_catalog;
    create extension pg_net schema mine`)
  await other.rows(`select net.http_get('https://example.com')`)
  expect(
    await other.rows('select created_at > $1 as fresh from net.http_request_queue', ['2000-01-01']),
  ).toEqual([{ fresh: true }])
  await other.close()
})
