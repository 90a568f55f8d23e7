import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startHooks } from '../testing/webhooks/hooks-plane.ts'

/**
 * The owner of a database can write calls that no hook has asked for, and hang hooks on the tables of the services. Neither leads
 * further than a hook does, and neither stops the calls of others.
 */
let hooks: Awaited<ReturnType<typeof startHooks>>
beforeAll(async () => {
  hooks = await startHooks({ setup: 'create table orders (id int primary key)' })
})
afterAll(() => hooks.close())
afterEach(async () => {
  await hooks.sql(
    `truncate orders, supabase_functions.deliveries, supabase_functions.hook_settings cascade`,
  )
  hooks.setKeys({})
  hooks.receiver.forget()
})

type Forged = { method?: string; url?: string; headers?: object; webhookId?: string; name?: string }

const forge = ({
  method = 'POST',
  url = '/forged',
  headers = {},
  webhookId = 'msg_forged',
  name = 'forged',
}: Forged) =>
  hooks.sql(`insert into supabase_functions.deliveries (hook_table, hook_name, method, url, headers, body, timeout_milliseconds, webhook_id)
    values ('orders'::regclass, '${name}', $text$${method}$text$, $text$${url.startsWith('/') ? hooks.receiver.address + url : url}$text$,
      $text$${JSON.stringify(headers)}$text$, '{}', 1000, $text$${webhookId}$text$);
    select pg_notify('plinth_hooks', '')`)

const isDead = (name = 'forged') =>
  expect
    .poll(async () => (await hooks.deliveries(name))[0])
    .toMatchObject({ state: 'dead', attempts: 1 })

/** A hook of an honest table is called after all that. */
async function othersAreCalled(): Promise<void> {
  await hooks.hook('honest', 'orders')
  await hooks.sql('insert into orders values (1)')
  await expect
    .poll(async () => (await hooks.deliveries('honest'))[0])
    .toMatchObject({ state: 'delivered' })
  await hooks.sql('drop trigger honest on orders')
}

describe('a call that nobody but the owner has written', () => {
  test.each([
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'http://192.168.0.1/',
    'file:///etc/passwd',
    'https://user:word@example.com/',
    'no address',
  ])('to %s is not made', async (url) => {
    await forge({ url })
    await isDead()
    const [attempt] = await hooks.attempts('forged')
    expect(attempt).toMatchObject({ status_code: null, error_msg: expect.any(String) as string })
    await othersAreCalled()
  })

  test.each(['CONNECT', 'TRACE', 'GET /inner HTTP/1.1\r\nhost: other', ''])(
    'by the method %j is not made',
    async (method) => {
      await forge({ method })
      await isDead()
      expect(hooks.receiver.heard).toEqual([])
      await othersAreCalled()
    },
  )

  test.each(['two\r\nlines: 1', 'x'.repeat(101), 'ünder'])(
    'under the id %j is not made',
    async (webhookId) => {
      await forge({ webhookId })
      await isDead()
      expect(hooks.receiver.heard).toEqual([])
      await othersAreCalled()
    },
  )

  test('says of the connection and of its signature only what the platform says', async () => {
    await forge({
      headers: {
        host: 'other.example.com',
        'x-forwarded-for': '1.2.3.4',
        'webhook-id': 'msg_other',
        'webhook-signature': 'v1,forged',
        'x-own': 'kept',
      },
    })
    await expect.poll(() => hooks.receiver.heard.length).toBe(1)
    const [heard] = hooks.receiver.heard
    expect(heard?.headers).toMatchObject({
      host: hooks.receiver.address.replace('http://', ''),
      'x-own': 'kept',
    })
    expect(heard?.headers).not.toHaveProperty('x-forwarded-for')
    expect(heard?.headers['webhook-id']).toBe('msg_forged')
    expect(heard?.headers['webhook-signature']).not.toBe('v1,forged')
  })

  test('is not signed by a secret that is not the project’s', async () => {
    hooks.setKeys({ whs_own: [`whsec_${Buffer.from('k'.repeat(32)).toString('base64')}`] })
    await hooks.settings('forged', 'orders', 'secret_id', `'whs_other'`)
    await forge({})
    await isDead()
    expect(hooks.receiver.heard).toEqual([])
  })
})

describe('a hook on a table that is not the owner’s', () => {
  test('on the calls themselves makes their changes fail at once, and without it all goes on', async () => {
    await hooks.hook('honest', 'orders')
    await hooks.sql(`create trigger around after insert on supabase_functions.deliveries for each row
      execute function supabase_functions.http_request('${hooks.receiver.address}/around', 'POST', '{}', '{}', '1000')`)
    await expect(hooks.sql('insert into orders values (1)')).rejects.toThrow(
      /cannot be called for the calls of webhooks/,
    )
    await hooks.sql('drop trigger around on supabase_functions.deliveries')
    expect(await hooks.deliveries('around')).toEqual([])
    await othersAreCalled()
  })

  test.each(['pg_catalog.pg_authid', 'pg_catalog.pg_class'])('on %s is refused', async (table) => {
    await expect(hooks.hook('system', table)).rejects.toThrow(/permission denied|system catalog/)
  })
})
