import { afterAll, beforeAll, expect, test } from 'vitest'
import { vault } from '#contract/integrations/vault'
import { startWorld, type World } from '../../testing/world.ts'

/** Each waits for real servers, beside whatever else the machine does. */
const patience = { timeout: 120_000 }

let world: World
let base: string
beforeAll(async () => {
  world = await startWorld(`create extension supabase_vault;
    select vault.create_secret('value ' || n, 'name ' || n) from generate_series(1, 20) n`)
  base = `/platform/projects/${world.ref}/vault`
})
afterAll(() => world.end())

const state = async () => vault.state.returns.parse((await world.ada.call('GET', base)).body)
const rotate = () => world.ada.call('POST', `${base}/rotate`)
const unfinished = async () =>
  (
    await world.control.db
      .selectFrom('platform.jobs')
      .select('id')
      .where('finished_at', 'is', null)
      .execute()
  ).length
const settled = () => expect.poll(unfinished, { timeout: 120_000 }).toBe(0)
const opened = async () =>
  Number(
    (
      await world.sql(
        `select count(*)::int as n from vault.decrypted_secrets where decrypted_secret = 'value ' || substr(name, 6)`,
      )
    )[0]?.['n'],
  )
const sealedBy = async () =>
  (
    await world.sql(
      `select distinct extensions.plinth_vault_key_of(decode(secret, 'base64')) as key from vault.secrets`,
    )
  ).map((row) => row['key'])
const states = async () =>
  (
    await world.control.db
      .selectFrom('platform.vault_keys')
      .select(['id', 'state'])
      .orderBy('made_at')
      .execute()
  ).map((row) => row.state)

test('a rotation seals every secret anew, and the old key is gone from the server', async () => {
  const before = (await state()).key?.id
  expect(await sealedBy()).toEqual([before])
  const answer = await rotate()
  expect(answer.status).toBe(202)
  await settled()
  const { key } = await state()
  expect(key).toMatchObject({ id: answer.body['id'], rotating: false, failure: null, former: 1 })
  expect(key?.id).not.toBe(before)
  expect(await sealedBy()).toEqual([key?.id])
  expect(await opened()).toBe(20)
  expect(await states()).toEqual(['former', 'current'])
})

test('secrets that are written while it goes on open afterwards', patience, async () => {
  let going = true
  const names: string[] = []
  const writer = (async () => {
    while (going) {
      const name = `during ${names.length}`
      await world.sql(`select vault.create_secret('written', '${name}')`)
      names.push(name)
    }
  })()
  await rotate()
  await settled()
  going = false
  await writer
  expect(names.length).toBeGreaterThan(0)
  const read = await world.sql(
    `select distinct decrypted_secret from vault.decrypted_secrets where name like 'during %'`,
  )
  expect(read).toEqual([{ decrypted_secret: 'written' }])
  await world.sql(`delete from vault.secrets where name like 'during %'`)
})

test('what was damaged stays damaged and keeps nothing from being rotated', async () => {
  await world.sql(`select vault.create_secret('a', 'damaged');
    update vault.secrets set nonce = set_byte(nonce, 0, get_byte(nonce, 0) # 1) where name = 'damaged'`)
  await rotate()
  await settled()
  expect((await state()).key).toMatchObject({ failure: null, rotating: false })
  expect(await opened().catch(() => 'does not open')).toBe('does not open')
  await world.sql(`delete from vault.secrets where name = 'damaged'`)
  expect(await opened()).toBe(20)
})

test(
  'one that cannot finish keeps the old key and says why; it is finished later',
  patience,
  async () => {
    await world.sql(`create function public.keep() returns trigger language plpgsql as $$ begin return null; end $$;
    create trigger keep before update on vault.secrets for each row execute function public.keep()`)
    const first = await rotate()
    await settled()
    expect((await state()).key).toMatchObject({
      id: first.body['id'],
      failure: expect.stringContaining('A trigger on vault.secrets'),
    })
    expect(await opened()).toBe(20)
    await world.sql('drop trigger keep on vault.secrets')
    const again = await rotate()
    expect(again.body['id']).toBe(first.body['id'])
    await settled()
    expect((await state()).key).toMatchObject({ failure: null })
    expect(await sealedBy()).toEqual([first.body['id']])
    expect(await opened()).toBe(20)
  },
)

test('two at once are one', async () => {
  const answers = await Promise.all([rotate(), rotate()])
  expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['202', '409'])
  await settled()
  expect(await opened()).toBe(20)
})

test(
  'a backup from before rotations opens where it came from; a copy of the project does not open it',
  patience,
  async () => {
    const backups = `/platform/database/${world.ref}/backups`
    const id = Number((await world.ada.call('POST', backups)).body['id'])
    await settled()
    await rotate()
    await settled()
    await rotate()
    await settled()
    const current = (await state()).key?.id
    const cloned = await world.ada.call('POST', `/platform/database/${world.ref}/clone`, {
      newProjectName: 'Copy',
      newDbPass: world.password,
      cloneBackupId: id,
    })
    const copy = String(cloned.body['ref'])
    await settled()
    expect((await world.ada.call('POST', `${backups}/restore`, { id })).status).toBe(201)
    await settled()
    expect(await opened()).toBe(20)
    expect(await sealedBy()).toEqual([current])
    expect((await states()).filter((one) => one === 'retiring')).toEqual([])

    const of = `/platform/projects/${copy}/vault`
    const copied = vault.state.returns.parse((await world.ada.call('GET', of)).body)
    expect(copied.secrets).toHaveLength(20)
    expect(copied.secrets.every(({ opens }) => !opens)).toBe(true)
    const reveal = await world.ada.call('POST', `${of}/secrets/${copied.secrets[0]?.id}/reveal`)
    expect(String(reveal.body['message'])).toContain('a key that this project does not have')
    await world.ada.call('POST', `${of}/secrets`, { name: 'its own', value: 'a' })
    const own = vault.state.returns.parse((await world.ada.call('GET', of)).body)
    expect(own.secrets.find(({ name }) => name === 'its own')?.opens).toBe(true)
  },
)

test('former keys stay as long as a backup may need them, and go after that', async () => {
  const { db } = world.control
  const count = async () => (await states()).filter((one) => one === 'former').length
  const former = await count()
  expect(former).toBeGreaterThan(0)
  await world.control.vaultRound()
  expect(await count()).toBe(former)
  const longAgo = new Date(Date.now() - 40 * 86_400_000)
  await db
    .updateTable('platform.vault_keys')
    .set({ state_since: longAgo })
    .where('state', '=', 'former')
    .execute()
  await db
    .updateTable('platform.backups')
    .set({ taken_at: new Date(longAgo.getTime() - 1000) })
    .execute()
  await world.control.vaultRound()
  expect(await count()).toBe(former)
  await db.updateTable('platform.backups').set({ taken_at: new Date() }).execute()
  await world.control.vaultRound()
  expect(await count()).toBe(0)
  expect(await opened()).toBe(20)
})
