import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startCertified, type Certified } from '../../../testing/acme/certified.ts'

let d: Certified
beforeAll(async () => {
  d = await startCertified()
})
afterAll(() => d.end())
beforeEach(() => {
  Object.assign(d.acme.faults, {
    rateLimit: undefined,
    refusal: undefined,
    wrongName: undefined,
    beforeLook: undefined,
    beforeSign: undefined,
  })
})

const hourMs = 3_600_000
const minutesUntil = (at: string | null | undefined) =>
  Math.round((Date.parse(at ?? '') - Date.now() - d.clock.ahead) / 60_000)
const failed = async (name: string) => {
  await d.take(name)
  await d.round()
  const found = await d.certificate()
  expect(found?.state).toBe('failed')
  return found
}

test('an authority that asks for patience is left alone as long as it says', async () => {
  d.acme.faults.rateLimit = 2 * 3600
  const found = await failed('slow.acme.org')
  expect(found?.failure).toBe('The certificate authority asks to wait: too many certificates')
  expect(minutesUntil(found?.next_at)).toBe(120)
  const { orders } = d.acme.seen
  d.clock.ahead += hourMs
  await d.round()
  expect(d.acme.seen.orders).toBe(orders)
  d.acme.faults.rateLimit = undefined
  d.clock.ahead += 1.1 * hourMs
  await d.round()
  expect(await d.certificate()).toMatchObject({ state: 'active', failure: null })
})

test('what the authority says of a name is shown, and each failure doubles the wait', async () => {
  d.acme.faults.refusal = 'Invalid response\n\u0007 from <b>http://x</b>'
  const first = await failed('wrong.acme.org')
  expect(first?.failure).toBe(
    'The certificate authority refused: Invalid response from <b>http://x</b>',
  )
  expect(minutesUntil(first?.next_at)).toBe(15)
  const answer = (await d.world.ada.call('GET', `/v1/projects/${d.world.ref}/custom-hostname`)).body
  expect(answer).toMatchObject({
    data: {
      result: {
        ssl: {
          status: 'pending_issuance',
          validation_errors: [{ message: expect.stringContaining('Invalid response') }],
        },
      },
    },
  })
  expect((await d.retry()).status).toBe(201)
  await d.round()
  expect(minutesUntil((await d.certificate())?.next_at)).toBe(30)
  await d.shows('wrong.acme.org', false)
  d.acme.faults.refusal = undefined
  expect((await d.retry()).status).toBe(201)
  await d.round()
  expect(await d.certificate()).toMatchObject({ state: 'active', failure: null })
  expect(await d.retry()).toMatchObject({ status: 409, body: { code: 'certificate_not_needed' } })
  expect(await d.entries('domains.retry-certificate')).toHaveLength(2)
})

test('nobody orders more than a few in an hour, by deleting a name and adding it again neither', async () => {
  d.acme.faults.refusal = 'no'
  await failed('bomb.acme.org')
  const { orders } = d.acme.seen
  await d.retry()
  await d.round()
  await failed('bomb.acme.org')
  await d.retry()
  await d.round()
  expect(d.acme.seen.orders).toBe(orders + 3)
  const limited = await d.retry()
  expect(limited).toMatchObject({ status: 429, body: { code: 'certificate_limit' } })
  const again = await failed('bomb.acme.org')
  expect(again?.failure).toMatch(/^There were too many orders.* Try again after .* UTC$/)
  expect(d.acme.seen.orders).toBe(orders + 3)
  d.acme.faults.refusal = undefined
  d.clock.ahead += 1.1 * hourMs
  await d.round()
  expect(await d.certificate()).toMatchObject({ state: 'active' })
})

test('nor for many names within a day', async () => {
  await d.world.control.pool.query(
    `insert into platform.acme_attempts (hostname, organization_id, began_at)
     select 'n' || n || '.acme.org', project.organization_id, $2 from generate_series(1, 50) n, platform.projects project
     where project.ref = $1`,
    [d.world.ref, new Date(Date.now() + d.clock.ahead)],
  )
  const { orders } = d.acme.seen
  expect((await failed('more.acme.org'))?.failure).toMatch(/^There were too many orders/)
  expect(d.acme.seen.orders).toBe(orders)
  d.clock.ahead += 25 * hourMs
})

test('a certificate for another name is not taken', async () => {
  d.acme.faults.wrongName = 'victim.example.org'
  expect((await failed('mine.acme.org'))?.failure).toBe('The certificate is for another name')
  await d.shows('mine.acme.org', false)
  await d.shows('victim.example.org', false)
})

test('a name that is given up during its order gets nothing', async () => {
  d.acme.faults.beforeSign = async () => {
    expect((await d.remove()).status).toBe(200)
    await d.initialize('late.acme.org')
    d.point('late.acme.org', [await d.tokenOf()])
  }
  const { csrs } = d.acme.seen
  await d.take('late.acme.org')
  await d.round()
  expect(d.acme.seen.csrs).toBe(csrs + 1)
  expect((await d.get()).custom).toMatchObject({ status: 'initiated', certificate: null })
  const { rows } = await d.world.control.pool.query('select from platform.hostname_certificates')
  expect(rows).toEqual([])
  await d.shows('late.acme.org', false)
})

test('whoever has a name next gets a key of their own, and nothing of the one before', async () => {
  await d.take('shop.acme.org')
  await d.round()
  await d.shows('shop.acme.org', true)
  const before = (await d.shake('shop.acme.org')).getPeerCertificate()
  const other = await d.world.createProject('Films')
  await d.enable(other.ref)
  await d.initialize('shop.acme.org', other.ref)
  d.point('shop.acme.org', [await d.tokenOf(other.ref)])
  let goOn = () => {}
  const asked = new Promise<void>((resolve) => {
    goOn = resolve
  })
  d.acme.faults.beforeLook = () => asked
  expect((await d.activate(other.ref)).status).toBe(201)
  // The former certificate is gone before there is another one.
  await d.shows('shop.acme.org', false)
  goOn()
  await d.round()
  expect(await d.certificate(other.ref)).toMatchObject({ state: 'active' })
  expect(await d.certificate()).toBeNull()
  await d.shows('shop.acme.org', true)
  const after = (await d.shake('shop.acme.org')).getPeerCertificate()
  expect(after.pubkey?.equals(before.pubkey ?? Buffer.from(''))).toBe(false)
  expect((await d.https('shop.acme.org', '/rest/v1/books')).status).toBe(401)
  // Deleted, its project takes the certificate with it.
  expect((await d.world.ada.call('DELETE', `/v1/projects/${other.ref}`)).status).toBe(200)
  await d.shows('shop.acme.org', false)
})

test('a name whose records are gone is not renewed, and its owners are told once', async () => {
  await d.take('gone.acme.org')
  await d.round()
  expect(await d.certificate()).toMatchObject({ state: 'active' })
  d.dns.records.delete('gone.acme.org')
  d.clock.ahead += 61 * 24 * hourMs
  await d.world.control.domainsRound()
  await d.reverify()
  const { orders } = d.acme.seen
  await d.round()
  expect(d.acme.seen.orders).toBe(orders)
  const count = async (text: string) =>
    Number((await d.world.control.pool.query<{ n: string }>(text)).rows[0]?.n)
  const mails = () =>
    count(`select count(*) as n from platform.mails
      where recipient = 'ada@example.com' and subject = 'DNS records of gone.acme.org are missing'`)
  await expect.poll(mails, { timeout: 30_000 }).toBe(1)
  expect(
    await count(
      `select count(*) as n from platform.notifications where name = 'domains.records-missing'`,
    ),
  ).toBeGreaterThan(0)
  expect(await d.entries('domains.records-missing')).toHaveLength(1)
  d.point('gone.acme.org', [await d.tokenOf()])
  await d.reverify()
  await d.round()
  expect(d.acme.seen.orders).toBe(orders + 1)
  expect(await mails()).toBe(1)
})

test('without the add-on a name shows no certificate, and gets no other one', async () => {
  await d.shows('gone.acme.org', true)
  await d.setTier('tier_free')
  await d.world.control.pool.query(`select pg_notify('plinth_projects', '')`)
  await d.shows('gone.acme.org', false)
  expect((await d.get()).custom).toMatchObject({ served: false, certificate: null })
  await d.setTier('tier_pro')
})
