import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { organizationOf } from '../../testing/people.ts'
import { startDomains, type DomainWorld } from '../../testing/domains.ts'

let d: DomainWorld
beforeAll(async () => {
  d = await startDomains()
  await d.enable()
  await d.initialize('api.acme.org')
  d.point('api.acme.org', [await d.tokenOf()])
  await d.activate()
})
afterAll(() => d.end())

describe('the name of somebody else', () => {
  test('cannot be had while its DNS names who has it, whatever the other one adds', async () => {
    const other = await d.world.createProject('Films')
    await d.enable(other.ref)
    expect((await d.initialize('api.acme.org', other.ref)).status).toBe(201)
    const theirs = await d.tokenOf(other.ref)
    const ours = await d.tokenOf()
    expect(theirs).not.toBe(ours)
    // The token of one project is worth nothing for another.
    d.point('api.acme.org', [ours])
    expect(await d.activate(other.ref)).toMatchObject({
      status: 409,
      body: { code: 'hostname_not_verified' },
    })
    d.point('api.acme.org', [ours, theirs])
    expect(await d.activate(other.ref)).toMatchObject({
      status: 409,
      body: { code: 'hostname_taken' },
    })
    await d.answers('api.acme.org', 200)
    // Who owns the name says by its DNS that it is to be the other one’s.
    d.point('api.acme.org', [theirs])
    expect((await d.activate(other.ref)).status).toBe(201)
    expect((await d.get()).custom).toMatchObject({ status: 'initiated', served: false })
    expect(await d.entries('domains.lost')).toEqual(['domains.lost null'])
    // It is another project that answers, whose keys are others.
    await d.answers('api.acme.org', 401)
    const films = await d.at('api.acme.org', '/rest/v1/', { apikey: other.serviceKey })
    expect(films.status).toBe(200)
    // Deleted, it frees the name.
    expect((await d.world.ada.call('DELETE', `/v1/projects/${other.ref}`)).status).toBe(200)
    await d.answers('api.acme.org', 404)
    d.point('api.acme.org', [ours])
    expect((await d.activate()).status).toBe(201)
    await d.answers('api.acme.org', 200)
  })

  test('two at once for the same name: one has it', async () => {
    const other = await d.world.createProject('Songs')
    await d.enable(other.ref)
    expect((await d.remove()).status).toBe(200)
    await d.initialize('race.acme.org')
    await d.initialize('race.acme.org', other.ref)
    d.point('race.acme.org', [await d.tokenOf(), await d.tokenOf(other.ref)])
    const both = await Promise.all([d.activate(), d.activate(other.ref)])
    expect(both.map(({ status }) => String(status)).toSorted()).toEqual(['201', '409'])
    expect(both.map(({ body }) => body['code'])).toContain('hostname_taken')
    const { rows } = await d.world.control.pool.query(
      `select 1 from platform.custom_hostnames where hostname = 'race.acme.org' and status = 'active'`,
    )
    expect(rows).toHaveLength(1)
    await d.remove()
    await d.remove(other.ref)
  })

  test('a name that was released needs a new token', async () => {
    await d.initialize('again.acme.org')
    const first = await d.tokenOf()
    d.point('again.acme.org', [first])
    expect((await d.activate()).status).toBe(201)
    await d.answers('again.acme.org', 200)
    expect((await d.initialize('other.acme.org')).body).toMatchObject({ code: 'hostname_active' })
    expect((await d.remove()).status).toBe(200)
    await d.answers('again.acme.org', 404)
    await d.initialize('again.acme.org')
    expect(await d.tokenOf()).not.toBe(first)
    expect((await d.activate()).body).toMatchObject({ code: 'hostname_not_verified' })
    // Begun again with the same name, the token is the same: what stands in the DNS stays right.
    const second = await d.tokenOf()
    await d.initialize('again.acme.org')
    expect(await d.tokenOf()).toBe(second)
    d.point('again.acme.org', [second])
    expect((await d.activate()).status).toBe(201)
  })

  test('in another organization the token is another one, and the name goes on meanwhile', async () => {
    const { id } = await organizationOf(d.world.ada, 'Elsewhere', 'tier_pro')
    const before = await d.tokenOf()
    const moveTo = (organization_id: string) =>
      d.world.control.db
        .updateTable('platform.projects')
        .set({ organization_id })
        .where('ref', '=', d.world.ref)
        .returning('organization_id')
        .execute()
    const { organization_id: home } = await d.world.control.db
      .selectFrom('platform.projects')
      .select('organization_id')
      .where('ref', '=', d.world.ref)
      .executeTakeFirstOrThrow()
    await moveTo(id)
    expect(await d.tokenOf()).not.toBe(before)
    expect((await d.reverify()).body).toMatchObject({
      custom: { status: 'active', served: true, failing_since: expect.any(String) },
    })
    await moveTo(home)
    expect((await d.reverify()).body).toMatchObject({ custom: { failing_since: null } })
  })
})

test('the add-on stays while there is a name; a plan without it ends it, and the name is not served', async () => {
  expect(await d.disable()).toMatchObject({ status: 409, body: { code: 'hostname_active' } })
  await d.answers('again.acme.org', 200)
  // Whatever the plan says, without one of the two nothing is served.
  const tell = () => d.world.control.pool.query(`select pg_notify('plinth_projects', '')`)
  await d.setTier('tier_free')
  await tell()
  await d.answers('again.acme.org', 404)
  expect((await d.get()).custom).toMatchObject({ status: 'active', served: false })
  const project = (await d.world.ada.call('GET', `/platform/projects/${d.world.ref}`)).body
  expect(project).toMatchObject({ public_url: d.world.project.url })
  await d.setTier('tier_pro')
  await tell()
  await d.answers('again.acme.org', 200)
  const plan = '/platform/organizations/acme/billing/subscription'
  expect((await d.world.ada.call('PUT', plan, { tier: 'tier_free' })).status).toBe(200)
  // The plan holds until the period that was paid for is over.
  d.clock.ahead += 40 * 86_400_000
  await d.world.control.billingRound()
  await d.answers('again.acme.org', 404)
  expect(await d.get()).toMatchObject({ add_on: false, plan: { custom: false } })
  // Of both projects that had it.
  const ended = 'billing.removeAddOn null'
  expect(await d.entries('billing.removeAddOn')).toEqual([ended, ended])
  await d.setTier('tier_pro')
  expect((await d.get()).custom).toMatchObject({ status: 'active', served: false })
  expect((await d.enable()).status).toBe(201)
  await d.answers('again.acme.org', 200)
})

test('a paused project answers by its name as by its usual address', async () => {
  const paused = await d.world.ada.call('POST', `/v1/projects/${d.world.ref}/pause`)
  expect(paused.status).toBe(200)
  const usual = async () => {
    const headers = { apikey: d.world.project.anonKey }
    const answer = await fetch(`${d.world.project.url}/rest/v1/books`, { headers })
    return { status: answer.status, body: await answer.text() }
  }
  await expect.poll(async () => (await usual()).status).toBe(503)
  const { status, body } = await d.books('again.acme.org')
  expect({ status, body }).toEqual(await usual())
})

test('who asks for too many looks is told to wait', async () => {
  const all = await Promise.all(Array.from({ length: 30 }, () => d.reverify()))
  expect(all.map(({ status }) => status)).toContain(429)
})
