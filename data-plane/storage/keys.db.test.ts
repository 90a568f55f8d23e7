import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ada, startStorage, type StoragePlane } from '../testing/storage/storage.ts'

const opaque = 'sb_secret_for_the_storage_test'
let plane: StoragePlane
beforeAll(async () => {
  plane = await startStorage()
  await plane.service.from('own').upload(`${ada}/mine`, 'mine')
  await plane.service.from('open').upload('all', 'all')
})
beforeEach(() => plane.directory.put(plane.project))
afterAll(() => plane.close())

const status = async (path: string, options: Parameters<StoragePlane['ask']>[1]) => {
  const response = await plane.ask(path, options)
  await response.arrayBuffer()
  return response.status
}
const mine = `/object/own/${ada}/mine`

test('a wrong key is refused at once, in front of what is public too', async () => {
  const headers = { apikey: 'sb_publishable_nonsense' }
  expect(await status('/object/public/open/all', { as: '', headers })).toBe(401)
  expect(await status(mine, { as: 'sb_secret_nonsense' })).toBe(401)
  expect(await status('/object/public/open/all', { as: '' })).toBe(200)
})

test('legacy keys that have ended open nothing, however they are shown', async () => {
  const { serviceKey } = plane.project
  expect(await status(mine, { as: serviceKey })).toBe(200)
  const legacyKeysDisabledAt = new Date().toISOString()
  plane.directory.put({ ...plane.project, legacyKeysDisabledAt })
  expect(await status(mine, { as: serviceKey })).toBe(401)
  expect(await status(mine, { as: '', headers: { apikey: serviceKey } })).toBe(401)
})

test('a secret key is the service role, by itself and beside the token of a user', async () => {
  const sha256 = createHash('sha256').update(opaque).digest('hex')
  plane.directory.put({ ...plane.project, opaqueKeys: [{ sha256, role: 'service_role' }] })
  expect(await status(mine, { as: opaque })).toBe(200)
  expect(await status(mine, { as: '', headers: { apikey: opaque } })).toBe(200)
  const stranger = plane.token({
    role: 'authenticated',
    sub: '33333333-3333-4333-8333-333333333333',
  })
  expect(await status(mine, { as: stranger, headers: { apikey: opaque } })).toBe(400)
  expect(await status(mine, { as: opaque, headers: { 'sec-fetch-site': 'cross-site' } })).toBe(401)
})

test('an organization that is restricted may read and list, and change nothing', async () => {
  plane.directory.put({ ...plane.project, restricted: true })
  expect(await status(mine, {})).toBe(200)
  const json = (body: object) => ({ method: 'POST', body: JSON.stringify(body) })
  expect(await status('/object/list/own', json({ prefix: '' }))).toBe(200)
  expect(await status(`/object/sign/own/${ada}/mine`, json({ expiresIn: 9 }))).toBe(200)
  expect(await status('/object/own/new', { method: 'POST', body: 'new' })).toBe(402)
  expect(await status(`/object/upload/sign/own/new`, json({}))).toBe(402)
  expect(await status(mine, { method: 'DELETE' })).toBe(402)
})

test('one that is beyond its quota may delete as well, though its server is read only', async () => {
  const name = plane.project.database.name
  await plane.sql(`alter database "${name}" set default_transaction_read_only = on`)
  plane.directory.put({ ...plane.project, restricted: true, mayDelete: true })
  expect(await status(mine, {})).toBe(200)
  expect(await status('/object/own/new', { method: 'POST', body: 'new' })).toBe(402)
  expect(await status(mine, { method: 'PUT', body: 'other' })).toBe(402)
  expect(await status(mine, { method: 'DELETE' })).toBe(200)
  expect(await status(mine, {})).toBe(400)
  expect(await status('/bucket/own/empty', { method: 'POST' })).toBe(200)
  expect(await status('/bucket', { method: 'POST', body: '{"name": "more"}' })).toBe(402)
})
