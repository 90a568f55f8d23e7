import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { vault } from '#contract/integrations/vault'
import type { RoleName } from '#contract/permissions'
import { besideTransactions } from '../../testing/one-connection.ts'
import { startWorld, type World } from '../../testing/world.ts'
import { rotationJob, vaultKeyStore } from './keys-store.ts'

let world: World
let base: string
beforeAll(async () => {
  world = await startWorld('')
  base = `/platform/projects/${world.ref}/vault`
})
afterAll(() => world.end())

const state = async (by = world.ada) => vault.state.returns.parse((await by.call('GET', base)).body)
const create = (secret: object, by = world.ada) => by.call('POST', `${base}/secrets`, secret)
const reveal = (id: string, by = world.ada) => by.call('POST', `${base}/secrets/${id}/reveal`)
async function made(name: string, value = `the value of ${name}`): Promise<string> {
  const { status, body } = await create({ name, value })
  expect(status).toBe(201)
  return vault.create.returns.parse(body).id
}
const entries = async () => {
  const rows = await world.control.db
    .selectFrom('platform.audit_entries')
    .selectAll()
    .where('action', 'like', 'vault.%')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ action: row.action, line: JSON.stringify(row) }))
}

test('a database without the extension has no secrets, and says so', async () => {
  expect(await state()).toMatchObject({ available: true, installed: false, secrets: [] })
  expect((await create({ name: 'a', value: 'b' })).status).toBe(400)
  await world.sql('create extension supabase_vault')
  const { installed, key } = await state()
  expect({ installed, key }).toMatchObject({
    installed: true,
    key: { rotating: false, failure: null, former: 0 },
  })
})

describe('refused', () => {
  test.each([
    ['no value', { name: 'a' }],
    ['an empty value', { name: 'a', value: '' }],
    ['a name of spaces', { name: '  ', value: 'a' }],
    ['a value that is too long', { name: 'a', value: 'x'.repeat(65_537) }],
    ['a NUL', { name: 'a', value: 'a\0b' }],
  ])('%s', async (_, secret) => {
    expect((await create(secret)).status).toBe(400)
    expect((await state()).secrets).toEqual([])
  })

  test('a name twice, at the start and later', async () => {
    const id = await made('once')
    const other = await made('another')
    expect(await create({ name: 'once', value: 'b' })).toMatchObject({
      status: 409,
      body: { message: 'There is a secret named once' },
    })
    const rename = world.ada.call('PATCH', `${base}/secrets/${other}`, { name: 'once' })
    expect((await rename).status).toBe(409)
    for (const one of [id, other])
      expect((await world.ada.call('DELETE', `${base}/secrets/${one}`)).status).toBe(200)
  })

  test('what is not there', async () => {
    const at = `${base}/secrets/${randomUUID()}`
    expect((await world.ada.call('PATCH', at, { value: 'a' })).status).toBe(404)
    expect((await world.ada.call('DELETE', at)).status).toBe(404)
    expect((await world.ada.call('POST', `${at}/reveal`)).status).toBe(404)
    expect((await world.ada.call('POST', `${base}/secrets/1/reveal`)).status).toBe(400)
  })

  const refusals: Record<string, readonly RoleName[]> = {
    read: [],
    write: ['Read-only'],
    reveal: ['Read-only'],
    rotate: ['Read-only', 'Developer'],
  }
  test('by role, and to strangers', async () => {
    const id = await made('guarded')
    const calls: [string, 'GET' | 'POST' | 'PATCH' | 'DELETE', string, object?][] = [
      ['read', 'GET', base],
      ['read', 'GET', `${base}/uses`],
      ['write', 'POST', `${base}/secrets`, { name: 'mine', value: 'a' }],
      ['write', 'PATCH', `${base}/secrets/${id}`, { value: 'a' }],
      ['write', 'DELETE', `${base}/secrets/${id}`],
      ['reveal', 'POST', `${base}/secrets/${id}/reveal`],
      ['rotate', 'POST', `${base}/rotate`],
    ]
    for (const [what, method, path, body] of calls) {
      expect((await world.stranger.call(method, path, body)).status, `${what} ${path}`).toBe(404)
      for (const role of refusals[what] ?? [])
        expect((await world.as(role).call(method, path, body)).status, `${what} as ${role}`).toBe(
          403,
        )
    }
    expect((await state(world.as('Read-only'))).secrets).toMatchObject([{ name: 'guarded' }])
    expect((await reveal(id, world.as('Developer'))).status).toBe(200)
    await world.ada.call('DELETE', `${base}/secrets/${id}`)
  })
})

test('a secret is added, revealed, changed and deleted; the audit log has who and which, never the value', async () => {
  const before = (await entries()).length
  const id = await made('api_key', 's3kre3t')
  expect(await reveal(id)).toMatchObject({ status: 200, body: { value: 's3kre3t' } })
  const listed = (await state()).secrets
  expect(listed).toMatchObject([{ id, name: 'api_key', description: '', opens: true }])
  expect(JSON.stringify(listed)).not.toContain('s3kre3t')
  const change = { name: 'renamed', description: 'For mails', value: 's3kre3t-2' }
  expect((await world.ada.call('PATCH', `${base}/secrets/${id}`, change)).status).toBe(200)
  expect((await state()).secrets).toMatchObject([{ id, name: 'renamed', description: 'For mails' }])
  expect(await reveal(id)).toMatchObject({ body: { value: 's3kre3t-2' } })
  expect((await world.ada.call('DELETE', `${base}/secrets/${id}`)).status).toBe(200)
  const said = (await entries()).slice(before)
  expect(said.map(({ action }) => action)).toEqual([
    'vault.create',
    'vault.reveal',
    'vault.update',
    'vault.reveal',
    'vault.remove',
  ])
  for (const { line } of said) {
    expect(line).toMatch(/api_key|renamed/)
    expect(line).not.toContain('s3kre3t')
  }
})

test('a value is in no answer that anybody keeps, and no value is told that nobody wrote down', async () => {
  const id = await made('kept')
  const { headers } = await reveal(id)
  expect(headers['cache-control']).toMatch(/no-store/)
  const { db } = world.control
  await db.schema.alterTable('platform.audit_entries').renameTo('audit_entries_away').execute()
  try {
    const { status, body } = await reveal(id)
    expect(status).toBeGreaterThanOrEqual(500)
    expect(JSON.stringify(body)).not.toContain('the value of')
  } finally {
    await db.schema.alterTable('platform.audit_entries_away').renameTo('audit_entries').execute()
  }
  await world.ada.call('DELETE', `${base}/secrets/${id}`)
})

test('what another project has sealed is listed, does not open, and takes a new value', async () => {
  const id = await made('from elsewhere')
  await world.sql(`update vault.secrets set secret = translate(encode(overlay(decode(secret, 'base64')
    placing uuid_send('${randomUUID()}') from 4), 'base64'), e'\\n', '')`)
  expect((await state()).secrets).toMatchObject([{ id, opens: false }])
  const refused = await reveal(id)
  expect(refused).toMatchObject({ status: 400, body: { code: 'query_failed' } })
  expect(String(refused.body['message'])).toContain(
    'sealed with a key that this project does not have',
  )
  await world.ada.call('PATCH', `${base}/secrets/${id}`, { value: 'anew' })
  expect((await state()).secrets).toMatchObject([{ id, opens: true }])
  expect(await reveal(id)).toMatchObject({ body: { value: 'anew' } })
  await world.ada.call('DELETE', `${base}/secrets/${id}`)
})

test('the platform keeps keys sealed, one for each project', async () => {
  const rows = await world.control.db.selectFrom('platform.vault_keys').selectAll().execute()
  expect(rows).toMatchObject([{ state: 'current', sealed_key: expect.stringMatching(/^v1\./) }])
})

test('a rotation that ends while its state is read is under way in all of the answer', async () => {
  const { db } = world.control
  const store = vaultKeyStore(db)
  const projectId = (await store.projectId(world.ref)) ?? ''
  const id = randomUUID()
  const old = { id, project_id: projectId, sealed_key: '', state: 'retiring' } as const
  await db.insertInto('platform.vault_keys').values(old).execute()
  const job = { name: rotationJob, subject: world.ref, failure: null }
  await db.insertInto('platform.jobs').values(job).execute()
  let isOver = false
  async function end(): Promise<void> {
    isOver = true
    await store.retire((await store.list(projectId)).filter((key) => key.id === id))
    await db
      .updateTable('platform.jobs')
      .set({ finished_at: new Date() })
      .where('name', '=', rotationJob)
      .where('finished_at', 'is', null)
      .execute()
  }
  const interrupted = db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (!isOver) await besideTransactions(end)
      return result
    },
  })
  const seen = await vaultKeyStore(interrupted).state(world.ref, projectId)
  const stateOf = ({ rows }: typeof seen) => rows.find((key) => key.id === id)?.state
  expect([seen.isRotating, stateOf(seen)]).toEqual([true, 'retiring'])
  const after = await store.state(world.ref, projectId)
  expect([after.isRotating, stateOf(after)]).toEqual([false, 'former'])
})
