import { createHmac } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startHooks } from '../testing/webhooks/hooks-plane.ts'

/** What owners of a database do to the queue, the log and the calls, and what they gain by it. */
let hooks: Awaited<ReturnType<typeof startHooks>>
const rejections: unknown[] = []
const onRejection = (reason: unknown) => rejections.push(reason)
beforeAll(async () => {
  process.on('unhandledRejection', onRejection)
  hooks = await startHooks({ setup: 'create table orders (id int primary key)' })
})
afterAll(async () => {
  process.off('unhandledRejection', onRejection)
  await hooks.close()
})
afterEach(async () => {
  await hooks.sql(`drop table orders; create table orders (id int primary key);
    truncate supabase_functions.deliveries cascade; truncate supabase_functions.hook_settings;
    truncate net.http_request_queue; truncate net._http_response`)
  hooks.receiver.forget()
})

const outcome = async (id: number) => {
  const found = () => hooks.sql(`select * from net._http_response where id = ${id}`)
  await expect.poll(async () => (await found()).length).toBe(1)
  return (await found())[0]
}
const ask = async (sql: string) => Number((await hooks.sql(`select ${sql} as id`))[0]?.['id'])

describe('the inner network', () => {
  test.each([
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://[::ffff:10.0.0.1]/',
    'https://[fd00::1]/',
    'https://0x0a000001/',
    'http://192.168.0.1/',
    'file:///etc/passwd',
    'gopher://127.0.0.1:5432/',
    'https://user:word@example.com/',
  ])('%s is not called', async (url) => {
    await hooks.sql(`create trigger inward after insert on orders for each row
      execute function supabase_functions.http_request('${url}', 'POST', '{}', '{}', '1000')`)
    await hooks.settings('inward', 'orders', 'max_attempts', '20')
    await hooks.sql('insert into orders values (1)')
    const state = async () => (await hooks.deliveries('inward'))[0]
    // At once, and not again and again.
    await expect.poll(state).toMatchObject({ state: 'dead', attempts: 1 })
    const [attempt] = await hooks.attempts('inward')
    expect(attempt).toMatchObject({ status_code: null, error_msg: expect.any(String) as string })
  })

  test.each(['GET', 'POST'])(
    'the answer to a %s that leads there is an answer, and nobody follows it',
    async (method) => {
      hooks.receiver.answers(({ url }) =>
        url === '/lead' ? { status: 302, headers: { location: '/inner' } } : { status: 200 },
      )
      await hooks.sql(`create trigger lead after insert on orders for each row
        execute function supabase_functions.http_request('${hooks.receiver.address}/lead', '${method}', '{}', '{}', '1000')`)
      await hooks.sql('insert into orders values (1)')
      await expect
        .poll(async () => (await hooks.deliveries('lead'))[0])
        .toMatchObject({ state: 'dead' })
      expect(await hooks.attempts('lead')).toMatchObject([{ status_code: 302, error_msg: null }])
      expect(hooks.receiver.heard.map(({ url }) => url)).toEqual(['/lead'])
    },
  )
})

describe('headers', () => {
  test.each([
    ['two lines', `{"x-a": "1\\r\\nx-b: 2"}`],
    ['a name of two lines', `{"x-a: 1\\r\\nx-b": "2"}`],
    ['a NUL', `{"x-a": "1\\u0001"}`],
  ])('%s in one is no call', async (_, headers) => {
    const id = await ask(`net.http_get('${hooks.receiver.address}/lines', headers => '${headers}')`)
    expect(await outcome(id)).toMatchObject({ status_code: null })
    expect(hooks.receiver.heard).toEqual([])
  })

  test('what a connection says of itself is not theirs to say', async () => {
    const headers = {
      Host: 'other.example.com',
      'content-length': '3',
      'Transfer-Encoding': 'chunked',
      'X-Forwarded-For': '1.2.3.4',
      Forwarded: 'for=1.2.3.4',
      'x-own': 'kept',
    }
    const id = await ask(
      `net.http_post('${hooks.receiver.address}/own', '{"n":1}', headers => '${JSON.stringify(headers)}')`,
    )
    expect(await outcome(id)).toMatchObject({ status_code: 200 })
    const [heard] = hooks.receiver.heard
    expect(heard?.body).toBe('{"n": 1}')
    expect(heard?.headers).toMatchObject({
      host: hooks.receiver.address.replace('http://', ''),
      'x-own': 'kept',
    })
    for (const name of ['x-forwarded-for', 'forwarded'])
      expect(Object.keys(heard?.headers ?? {})).not.toContain(name)
  })
})

test('names of tables, columns and hooks are data, whatever they hold', async () => {
  const table = `or"ders'; drop table orders; --`
  const quoted = `"${table.replaceAll('"', '""')}"`
  await hooks.sql(`create table ${quoted} (id int primary key, "a'b""c" text);
    create trigger "x'; drop table orders; --" after insert on ${quoted} for each row
      execute function supabase_functions.http_request('${hooks.receiver.address}/named', 'POST', '{}', '{"a&b": "c=d ''e"}', '1000');
    insert into supabase_functions.hook_settings (hook_table, hook_name, order_by)
      select tgrelid, tgname, '{"a''b\\"c"}' from pg_trigger where tgname like 'x''%';
    insert into ${quoted} values (1, 'v')`)
  await expect.poll(() => hooks.receiver.heard.length).toBe(1)
  expect(hooks.receiver.heard[0]?.url).toBe('/named?a%26b=c%3Dd%20%27e')
  expect(hooks.receiver.bodies()).toEqual([
    { type: 'INSERT', table, schema: 'public', record: { id: 1, 'a\'b"c': 'v' }, old_record: null },
  ])
  await hooks.sql(`select from orders; drop table ${quoted}`)
})

describe('a signature', () => {
  const key = `whsec_${Buffer.from('k'.repeat(32)).toString('base64')}`

  test('is made by the platform, over what is sent, and by nobody’s own header', async () => {
    hooks.setKeys({ whs_a: [key] })
    await hooks.sql(`create trigger signed after insert on orders for each row execute function supabase_functions.http_request(
      '${hooks.receiver.address}/signed', 'POST', '{"Webhook-Signature": "v1,forged", "webhook-id": "forged", "x-own": "1"}', '{}', '1000')`)
    await hooks.settings('signed', 'orders', 'secret_id', `'whs_a'`)
    await hooks.sql('insert into orders values (1)')
    await expect.poll(() => hooks.receiver.heard.length).toBe(1)
    const [heard] = hooks.receiver.heard
    if (!heard) throw new Error('Nobody was called')
    const { headers, body } = heard
    const content = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`
    const mac = createHmac('sha256', Buffer.from(key.slice(6), 'base64')).update(content)
    expect(headers).toMatchObject({
      'webhook-signature': `v1,${mac.digest('base64')}`,
      'x-own': '1',
    })
    expect(headers['webhook-id']).toMatch(/^msg_/)
    // Nothing in the database has the secret.
    const kept =
      await hooks.sql(`select d::text || a::text as text from supabase_functions.deliveries d
      join supabase_functions.delivery_attempts a on a.delivery_id = d.id`)
    expect(JSON.stringify(kept)).not.toContain(key.slice(6, 30))
  })

  test.each(['whs_gone', '__proto__', 'constructor'])(
    'by the secret "%s", which is none, is no reason to send unsigned',
    async (id) => {
      hooks.setKeys({ whs_a: [key] })
      await hooks.hook('unsigned', 'orders')
      await hooks.settings('unsigned', 'orders', 'secret_id', `'${id}'`)
      await hooks.sql('insert into orders values (1)')
      await expect
        .poll(async () => (await hooks.deliveries('unsigned'))[0])
        .toMatchObject({ state: 'dead' })
      expect(hooks.receiver.heard).toEqual([])
      expect((await hooks.attempts('unsigned'))[0]).toMatchObject({
        error_msg: expect.stringContaining('secret') as string,
      })
    },
  )

  test('is made by both while one takes the place of the other', async () => {
    hooks.setKeys({ whs_a: ['whsec_AAAA', key] })
    await hooks.hook('twice', 'orders')
    await hooks.settings('twice', 'orders', 'secret_id', `'whs_a'`)
    await hooks.sql('insert into orders values (1)')
    await expect.poll(() => hooks.receiver.heard.length).toBe(1)
    expect(String(hooks.receiver.heard[0]?.headers['webhook-signature']).split(' ')).toHaveLength(2)
  })
})

describe('rows that were rewritten', () => {
  test('a call of pg_net with what is none ends with a reason, and those after it are made', async () => {
    await hooks.sql(`insert into net.http_request_queue (method, url, headers, timeout_milliseconds) values
      ('GET', 'nonsense', '{}', 1000), ('GET', 'https://10.0.0.1', '[]', 1000),
      ('GET', '${hooks.receiver.address}/minus', '{}', -1), ('GET', '${hooks.receiver.address}/none', 'null', 1000)`)
    const id = await ask(`net.http_get('${hooks.receiver.address}/after')`)
    expect(await outcome(id)).toMatchObject({ status_code: 200 })
    await expect
      .poll(async () => (await hooks.sql('select from net.http_request_queue')).length)
      .toBe(0)
    expect(await hooks.sql('select from net._http_response')).toHaveLength(5)
    expect(rejections).toEqual([])
  })

  test('a queue of another shape stops the calls of its own project, not the process; mended it goes on', async () => {
    await hooks.sql(`alter table supabase_functions.deliveries alter column timeout_milliseconds type text,
      alter column headers type text using headers::text`)
    await hooks.hook('shaped', 'orders')
    await hooks.sql(`insert into supabase_functions.deliveries (hook_table, hook_name, method, url, headers, timeout_milliseconds)
      values ('orders'::regclass, 'shaped', 'POST', '${hooks.receiver.address}/shaped', '{', 'soon');
      select pg_notify('plinth_hooks', '')`)
    await expect
      .poll(async () => (await hooks.deliveries('shaped'))[0])
      .toMatchObject({ state: 'dead' })
    await hooks.sql(`truncate supabase_functions.deliveries cascade; alter table supabase_functions.deliveries
      alter column timeout_milliseconds type integer using timeout_milliseconds::integer, alter column headers type jsonb using headers::jsonb`)
    await hooks.sql('insert into orders values (1)')
    await expect.poll(() => hooks.receiver.heard.length).toBe(1)
    expect(rejections).toEqual([])
  })

  test('an attempt that another has taken since changes nothing of its call', async () => {
    let release: () => void = () => undefined
    const gate = new Promise<void>((resolve) => (release = resolve))
    hooks.receiver.answers(() => gate.then(() => ({ status: 200 })))
    await hooks.hook('retaken', 'orders')
    await hooks.sql('insert into orders values (1)')
    await expect.poll(() => hooks.receiver.heard.length).toBe(1)
    await hooks.sql(
      `update supabase_functions.deliveries set state = 'dead', taken_at = now(), ended_at = now()`,
    )
    release()
    await expect.poll(() => hooks.receiver.most('/retaken')).toBe(1)
    hooks.receiver.forget()
    await hooks.sql('insert into orders values (2)')
    await expect
      .poll(async () => (await hooks.deliveries('retaken')).map(({ state }) => state))
      .toEqual(['dead', 'delivered'])
    expect(await hooks.attempts('retaken')).toHaveLength(1)
  })
})

test('who changes rows reads and writes nothing of the calls', async () => {
  await hooks.hook('seen', 'orders')
  await hooks.sql('grant insert on orders to anon')
  for (const role of ['anon', 'authenticated', 'service_role'])
    for (const sql of [
      'table supabase_functions.deliveries',
      'table supabase_functions.delivery_attempts',
      'table supabase_functions.hook_settings',
      `insert into supabase_functions.deliveries (hook_table, hook_name, method, url, headers, timeout_milliseconds) values (1, 'a', 'GET', 'https://example.com', '{}', 1)`,
    ]) {
      await expect(
        hooks.sql(`begin; set local role ${role}; ${sql}`),
        `${sql} as ${role}`,
      ).rejects.toThrow(/permission denied/)
      await hooks.sql('rollback')
    }
  await hooks.sql('begin; set local role anon; insert into orders values (1); commit')
  await expect.poll(() => hooks.receiver.heard.length).toBe(1)
})
