import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDomains, type DomainWorld } from '../../testing/domains.ts'

const name = 'api.acme.org'
const list = '/platform/organizations/acme/trash'

let d: DomainWorld
beforeAll(async () => {
  d = await startDomains({ trashDays: 30 })
  await d.enable()
  await d.initialize(name)
  d.point(name, [await d.tokenOf()])
  expect((await d.activate()).status).toBe(201)
})
afterAll(() => d.end())

const discard = async () => {
  expect((await d.world.ada.call('DELETE', `/v1/projects/${d.world.ref}`)).status).toBe(200)
  await expect
    .poll(async () => (await d.world.ada.call('GET', list)).body['projects'])
    .toMatchObject([{ state: 'waiting' }])
}
const restore = async () => {
  const back = await d.world.ada.call('POST', `${list}/${d.world.ref}/restore`)
  expect(back.status, JSON.stringify(back.body)).toBe(200)
}

test('the hostname of a project in the trash is served to nobody, and comes back with it', async () => {
  await d.answers(name, 200)
  await discard()
  await d.answers(name, 404)
  await restore()
  await d.answers(name, 200)
  expect(await d.get()).toMatchObject({ add_on: true, custom: { status: 'active', served: true } })
})

test('another project gets it only once its DNS has left the one that waits', async () => {
  const ours = await d.tokenOf()
  const other = await d.world.createProject('Films')
  await d.enable(other.ref)
  await d.initialize(name, other.ref)
  const theirs = await d.tokenOf(other.ref)
  await discard()
  d.point(name, [ours, theirs])
  expect(await d.activate(other.ref)).toMatchObject({
    status: 409,
    body: { code: 'hostname_taken' },
  })
  await d.answers(name, 404)
  d.point(name, [theirs])
  expect((await d.activate(other.ref)).status).toBe(201)
  await restore()
  await expect
    .poll(async () => (await d.get().catch(() => undefined))?.custom)
    .toMatchObject({ status: 'initiated', served: false })
})
