import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#kit/testing/postgres'
import { poolerRef, startPooler, type TestPooler } from '../../testing/pooler.ts'
import { raw, startupPacket } from '../../testing/postgres-gateway.ts'

let database: TestDatabase
let at: TestPooler
const role = `session_${process.pid}`
beforeAll(async () => {
  database = await createTestDatabase()
  at = await startPooler(database)
  await at.admin.query(`create role ${role} login password 'of its own'`)
})
afterAll(async () => {
  await at.admin.query(`drop role ${role}`)
  await at.close()
  await database.drop()
})

type Config = ConstructorParameters<typeof Client>[0]
/** 'in', or the SQLSTATE and the message by which it is refused. */
async function enter(given: Config): Promise<string> {
  const client = new Client(given)
  // Told by `connect` already.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.end()
    return 'in'
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return `${code} ${error instanceof Error ? error.message : ''}`
  }
}
async function using<T>(work: (client: Client) => Promise<T>, more: object = {}): Promise<T> {
  const client = new Client({ ...at.config('session'), ...more })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
const asked = (parameters: [string, string][], from?: string) =>
  raw(at.portOf('session'), startupPacket(parameters), from).ended

test('a wrong password, an unknown role and an unknown project are refused in the same words, after the same questions', async () => {
  const wrong = await enter({ ...at.config('session'), password: 'wrong' })
  expect(wrong).toBe('28P01 password authentication failed for user "postgres"')
  const nobody = { ...at.config('session'), user: `nobody.${poolerRef}` }
  expect(await enter(nobody)).toBe('28P01 password authentication failed for user "nobody"')
  const elsewhere = { ...at.config('session'), user: 'postgres.thereisnosuchproject' }
  expect(await enter(elsewhere)).toBe(wrong)
  // No password lets anybody in where there is none.
  expect(await enter({ ...at.config('session'), user: `anon.${poolerRef}` })).toMatch(/^28P01 /)
  // The salt of somebody that does not exist is the same each time, and so tells nothing.
  const salts = []
  for (let times = 0; times < 2; times++) {
    const packet = startupPacket([['user', 'postgres.thereisnosuchproject']])
    const first = Buffer.from('n,,n=,r=abcdefghijklmnop')
    const body = Buffer.concat([
      Buffer.from('SCRAM-SHA-256\0\0\0\0'),
      Buffer.from([first.length]),
      first,
    ])
    const head = Buffer.from([0x70, 0, 0, 0, body.length + 4])
    const client = raw(at.portOf('session'), Buffer.concat([packet, head, body]))
    await expect.poll(() => /s=([^,]+),i=4096/.exec(client.answer())?.[1]).toBeDefined()
    salts.push(/s=([^,]+),/.exec(client.answer())?.[1])
    client.socket.destroy()
  }
  expect(salts[0]).toBe(salts[1])
})

test('roles of the platform are refused with the right password, and nobody is asked for it', async () => {
  const before = at.asked.length
  for (const user of ['supabase_admin', 'authenticator', 'supabase_auth_admin', 'plinth_sql'])
    expect(await enter(at.config('session', user)), user).toMatch(/^28000 .*not permitted/)
  expect(at.asked.length).toBe(before)
})

test('names that climb lead nowhere', async () => {
  for (const user of [
    `supabase_admin.${poolerRef}.${poolerRef}`,
    `postgres.thereisnosuchproject.${poolerRef}`,
    `.${poolerRef}`,
    'postgres',
    `postgres.${poolerRef.toUpperCase()}`,
    `postgres.${poolerRef} `,
    `postgres.../${poolerRef}`,
    `postgres.${poolerRef}.`,
  ])
    expect(await enter({ ...at.config('session'), user }), user).toMatch(/^(28000|28P01) /)
  const two: [string, string][] = [
    ['user', `postgres.${poolerRef}`],
    ['options', 'reference=thereisnosuchproject'],
  ]
  expect(await asked(two)).toContain('two projects are named')
  expect(
    await asked([
      ['user', 'postgres'],
      ['options', 'reference='],
    ]),
  ).toContain('no project is named')
  const admin: [string, string][] = [
    ['user', 'supabase_admin'],
    ['options', `reference=${poolerRef}`],
  ]
  expect(await asked(admin)).toMatch(/C28000.*not permitted/)
})

test('a password that is stored in another way is told of, and so is how to change that', async () => {
  await at.admin.query(`set password_encryption = 'md5'`)
  await at.admin.query(`create role ${role}_md5 login password 'md'; reset password_encryption`)
  const config = { ...at.config('session'), user: `${role}_md5.${poolerRef}`, password: 'md' }
  expect(await enter(config)).toMatch(/^28000 .*not stored as SCRAM-SHA-256/)
  await at.admin.query(`drop role ${role}_md5`)
})

test('garbage while somebody signs in ends the connection, and no other', async () => {
  const packet = startupPacket([['user', `postgres.${poolerRef}`]])
  for (const answer of [
    Buffer.from('Q\0\0\0\x0dselect 1\0'),
    Buffer.from([0x70, 0xff, 0xff, 0xff, 0xff]),
    Buffer.from([0x70, 0, 0, 0, 0]),
    Buffer.from([0x70, 0, 0, 0, 4]),
    Buffer.from('p\0\0\0\x14SCRAM-SHA-256\0\0\0'),
    Buffer.from('p\0\0\0\x1dSCRAM-SHA-256-PLUS\0\0\0\0\x03n,,'),
  ])
    expect(await raw(at.portOf('session'), Buffer.concat([packet, answer])).ended).toMatch(/^R/)
  expect(await enter(at.config('session'))).toBe('in')
})

test('who does not go on signing in is cut off', async () => {
  const slow = await startPooler(database, { openingMs: 300 })
  const packet = startupPacket([['user', `postgres.${poolerRef}`]])
  expect(await raw(slow.portOf('session'), packet).ended).toMatch(/^R.*SCRAM-SHA-256/s)
  expect(await raw(slow.portOf('session'), packet.subarray(0, 9)).ended).toContain('08006')
  await slow.close()
})

test('who signs in gets a session of the server with everything that it can do', async () => {
  await using(
    async (client) => {
      await client.query('create temp table kept (id int); set statement_timeout = 4321')
      await client.query('insert into kept select generate_series(1, 3)')
      await client.query({ name: 'named', text: 'select $1::int + 1 as sum', values: [1] })
      await pipeline(Readable.from(['4\n5\n']), client.query(copyFrom('copy kept from stdin')))
      const { rows } = await client.query(
        `select count(*)::int as kept, current_setting('statement_timeout') as timeout, current_user::text as name,
        current_setting('application_name') as application from kept`,
      )
      const application = 'report of the month'
      expect(rows).toEqual([{ kept: 5, timeout: '4321ms', name: 'postgres', application }])
      const heard = new Promise((resolve) => client.once('notification', resolve))
      await client.query('listen news')
      await client.query(`notify news, 'one'`)
      expect(await heard).toMatchObject({ channel: 'news', payload: 'one' })
    },
    { application_name: 'report of the month' },
  )
})

test('the project may be named among the options, and the others go to the server', async () => {
  const { rows } = await using(
    (client) => client.query<{ path: string }>(`select current_setting('search_path') as path`),
    { user: 'postgres', options: `reference=${poolerRef} -c search_path=auth,\\ public` },
  )
  expect(rows).toEqual([{ path: 'auth, public' }])
})

test('a role of the customer signs in with its own password, and after it was changed only with the new one', async () => {
  const config = { ...at.config('session', role), password: 'of its own' }
  expect(await enter(config)).toBe('in')
  await at.admin.query(`alter role ${role} password 'another'`)
  // What was known a moment ago admits it here; the server does not, and says so.
  expect(await enter(config)).toMatch(/^28P01 /)
  expect(await enter(config)).toMatch(/^28P01 /)
  expect(await enter({ ...config, password: 'another' })).toBe('in')
})

test('while nobody can tell the verifier, nobody new comes in, and hears that it is no fault of theirs', async () => {
  const away = await startPooler(database, { passwordOf: () => Promise.reject(new Error('away')) })
  expect(await enter(away.config('session'))).toMatch(/^57P03 /)
  await away.close()
})

test('networks, pauses and bounds hold here as they do at the port of the project', async () => {
  at.change({ networks: ['10.0.0.0/8'] })
  expect(await enter(at.config('session'))).toMatch(/^28000 .*not allowed/)
  at.change({ networks: null, paused: 'https://plinth.example.com/project/x' })
  expect(await enter(at.config('session'))).toMatch(/^57P03 .*paused/)
  at.change({ paused: null, connections: 1 })
  await using(async () => {
    expect(await enter(at.config('session'))).toMatch(/^53300 /)
  })
  await expect.poll(() => enter(at.config('session'))).toBe('in')
  at.change(undefined)
  expect(await enter(at.config('session'))).toMatch(/^28P01 /)
  at.change({ connections: 500 })
})

test('a query is cancelled by its own client alone, with a key that the server does not know', async () => {
  await using(async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    const { processID, secretKey } = client as unknown as { processID: number; secretKey: number }
    expect(processID).not.toBe(rows[0]?.pid)
    const refused = expect(client.query('select pg_sleep(60)')).rejects.toMatchObject({
      code: '57014',
    })
    const isRunning = async () =>
      (
        await at.admin.query(
          `select from pg_stat_activity where pid = $1 and wait_event = 'PgSleep'`,
          [rows[0]?.pid],
        )
      ).rowCount
    await expect.poll(isRunning).toBe(1)
    const cancel = (process: number, secret: number) => {
      const request = Buffer.alloc(16)
      for (const [index, word] of [16, 80_877_102, process, secret].entries())
        request.writeInt32BE(word | 0, index * 4)
      return raw(at.portOf('session'), request).ended
    }
    expect(await cancel(processID, secretKey + 1)).toBe('')
    expect(await cancel(rows[0]?.pid ?? 0, secretKey)).toBe('')
    expect(await isRunning()).toBe(1)
    expect(await cancel(processID, secretKey)).toBe('')
    await refused
  })
})

test('who comes, how they are let in and how much they got is told and counted', async () => {
  at.events.length = 0
  const before = at.counts.get('egress_database') ?? 0
  await using((client) => client.query(`select repeat('x', 100000)`))
  await expect.poll(() => at.of('ended').length).toBe(1)
  const startup = { user: 'postgres', database: database.name }
  const mode = 'session'
  expect(at.events).toMatchObject([
    { kind: 'opened' },
    { kind: 'connected', mode, address: '127.0.0.1', startup, processId: expect.any(Number) },
    { kind: 'ended', mode, startup },
  ])
  expect((at.counts.get('egress_database') ?? 0) - before).toBeGreaterThan(100_000)
  await enter({ ...at.config('session'), password: 'not this one' })
  expect(at.of('refused')).toMatchObject([{ by: 'gateway', refusal: { code: '28P01' } }])
  expect(JSON.stringify(at.events)).not.toContain('not this one')
})
