import { afterAll, beforeAll, expect, test } from 'vitest'
import { V1CustomHostname } from '#contract/v1/v1-domains'
import { startDomains, target, type DomainWorld } from '../../testing/domains.ts'

let d: DomainWorld
let url: string
beforeAll(async () => {
  d = await startDomains()
  url = `/v1/projects/${d.world.ref}/custom-hostname`
})
afterAll(() => d.end())

const ask = async (method: 'GET' | 'POST' | 'DELETE', path = '', body?: object) => {
  const answer = await d.world.ada.call(method, `${url}${path}`, body)
  return { status: answer.status, body: answer.body }
}
const shown = async (method: 'GET' | 'POST', path = '', body?: object) => {
  const answer = await ask(method, path, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(method === 'GET' ? 200 : 201)
  return V1CustomHostname.parse(answer.body)
}

test('who is not signed in, a stranger, and who may only read are refused', async () => {
  for (const [method, path] of [
    ['GET', ''],
    ['POST', '/initialize'],
    ['POST', '/reverify'],
    ['POST', '/activate'],
    ['DELETE', ''],
  ] as const) {
    const body = path === '/initialize' ? { custom_hostname: 'api.acme.org' } : undefined
    expect((await fetch(`${d.world.controlUrl}${url}${path}`, { method })).status).toBe(401)
    expect((await d.world.stranger.call(method, `${url}${path}`, body)).status).toBe(404)
    const reader = await d.world.as('Read-only').call(method, `${url}${path}`, body)
    expect(reader.status, path).toBe(method === 'GET' ? 404 : 403)
  }
})

test('a hostname goes through the states that public clients know', async () => {
  expect(await ask('GET')).toMatchObject({
    status: 404,
    body: { message: expect.stringContaining('custom hostname configuration') },
  })
  expect((await ask('POST', '/initialize', {})).status).toBe(400)
  const name = { custom_hostname: 'API.acme.org' }
  expect(await ask('POST', '/initialize', name)).toMatchObject({
    status: 409,
    body: { code: 'custom_domain_off' },
  })
  await d.enable()
  const begun = await shown('POST', '/initialize', name)
  expect(begun).toMatchObject({
    status: '2_initiated',
    custom_hostname: 'api.acme.org',
    data: {
      success: true,
      result: {
        hostname: 'api.acme.org',
        custom_origin_server: target,
        ownership_verification: { type: 'txt', name: '_plinth-challenge.api.acme.org' },
        ssl: { status: 'pending_validation' },
        status: 'pending',
      },
    },
  })
  const { value } = begun.data.result.ownership_verification
  expect(begun.data.result.ssl.validation_records).toEqual([
    { txt_name: '_plinth-challenge.api.acme.org', txt_value: value },
  ])
  d.dns.records.set('_plinth-challenge.api.acme.org', { TXT: [value] })
  const half = await shown('POST', '/reverify')
  expect(half.status).toBe('3_challenge_verified')
  expect(half.data.result.verification_errors).toEqual(['The CNAME record is missing'])
  expect((await ask('POST', '/activate')).status).toBe(409)
  const proxyMay = async (domain: string) =>
    (await fetch(`${d.world.controlUrl}/platform/custom-hostnames/check?domain=${domain}`)).status
  expect(await proxyMay('api.acme.org'), 'no certificate for who has shown nothing').toBe(404)
  d.dns.records.set('api.acme.org', { CNAME: target })
  const whole = await shown('POST', '/reverify')
  expect(whole.status).toBe('4_origin_setup_completed')
  expect(whole.data.result.verification_errors).toBeUndefined()
  expect((await shown('POST', '/activate')).status).toBe('5_services_reconfigured')
  expect((await shown('GET')).data.result.status).toBe('active')
  expect(await proxyMay('API.acme.org')).toBe(200)
  for (const other of ['acme.org', 'x.api.acme.org']) expect(await proxyMay(other), other).toBe(404)
  for (const other of ['%00', '', 'a'.repeat(300)]) expect(await proxyMay(other), other).toBe(400)
  const vanity = `/v1/projects/${d.world.ref}/vanity-subdomain`
  expect((await d.world.ada.call('GET', vanity)).body).toEqual({ status: 'custom-domain-used' })
  expect(
    await d.world.ada.call('POST', `${vanity}/activate`, { vanity_subdomain: 'books' }),
  ).toMatchObject({
    status: 400,
    body: { code: 'not_on_this_installation' },
  })
  expect((await ask('DELETE')).status).toBe(200)
  expect((await ask('DELETE')).status).toBe(404)
  expect(await proxyMay('api.acme.org')).toBe(404)
})
