import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join as pathOf } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { startAcmeServer, type AcmeServer } from '#control-plane/testing/acme/acme-server'
import { byHost } from '#control-plane/testing/by-host'
import { createTestAuthority } from '#kit/testing/authority'
import { freePort } from '#kit/testing/free-port'
import { startNameServer, type NameServer } from '#kit/testing/name-server'
import { join } from '../testing/billing-client.ts'
import { openPage, type Eyes } from '../testing/browser.ts'
import { atEnd } from '../testing/ends.ts'
import { newPerson, password } from '../testing/people.ts'
import { ownPlatform } from '../testing/shared-platform.ts'
import { story } from '../testing/story.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'

/** A project gets a hostname of its customer, step by step, and gives it back. */
const target = 'ingress.plinth-test.net'
const hostname = 'api.acme-books.org'
let bench: Workbench
let page: Page
let eyes: Eyes
let dns: NameServer
let projectPort: number
let acme: AcmeServer
let httpsPort: number
beforeAll(async () => {
  dns = await startNameServer()
  atEnd(() => dns.close())
  const ports = { port: await freePort(), projectPort: await freePort() }
  ;({ projectPort } = ports)
  const challengePort = await freePort()
  httpsPort = await freePort()
  acme = await startAcmeServer({ dnsServer: dns.address, target, port: () => challengePort })
  atEnd(() => acme.close())
  const folder = await mkdtemp(pathOf(tmpdir(), 'plinth-acme-'))
  atEnd(() => rm(folder, { recursive: true }))
  const ca = pathOf(folder, 'ca.pem')
  await writeFile(ca, acme.ca)
  // No authority knows the name by which a machine calls itself.
  const { key, certificate } = await (await createTestAuthority()).issue(['localhost'])
  const files = [pathOf(folder, 'own.pem'), pathOf(folder, 'own.key')] as const
  await writeFile(files[0], certificate)
  await writeFile(files[1], key)
  const platform = await ownPlatform({
    ports,
    environment: {
      // Browsers find all names below localhost on this machine.
      PLINTH_PROJECT_URL: `http://{ref}.projects.localhost:${projectPort}`,
      PLINTH_CUSTOM_HOSTNAME_TARGET: target,
      PLINTH_DNS_SERVERS: dns.address,
      PLINTH_URL: `https://localhost:${httpsPort}`,
      PLINTH_HTTPS_PORT: String(httpsPort),
      PLINTH_HTTPS_CERTIFICATE: files[0],
      PLINTH_HTTPS_KEY: files[1],
      PLINTH_HTTP_CHALLENGE_PORT: String(challengePort),
      PLINTH_ACME_DIRECTORY: acme.directory,
      PLINTH_ACME_TERMS: 'agreed',
      PLINTH_ACME_CA: ca,
    },
  })
  bench = await openWorkbench({
    name: 'Books',
    platform,
    tier: 'tier_free',
    size: 'nano',
    clipboard: true,
  })
  ;({ page, eyes } = bench)
})

const button = (name: string | RegExp, of = page) => of.getByRole('button', { name, exact: true })
const isOff = (name: string, of = page) => button(name, of).getAttribute('aria-disabled')
const dialog = () => page.getByRole('dialog').last()
const record = (type: string) =>
  page.getByRole('list', { name: 'DNS records' }).getByRole('listitem').filter({ hasText: type })
const look = async (name: string) => {
  await eyes.look(name)
  await page.setViewportSize({ width: 390, height: 844 })
  await eyes.look(`${name}-narrow`)
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(wider, 'nothing is wider than the phone').toBeLessThanOrEqual(0)
  await page.setViewportSize({ width: 1440, height: 900 })
}
const isServed = async (host: string) => {
  const ask = byHost(`http://127.0.0.1:${projectPort}`)
  const { status } = await ask(host, '/auth/v1/settings', { apikey: bench.project.anonKey })
  return status === 200
}

/** What the browser says of requests that were refused, and nothing else. */
const expectRefusals = async (count: number) => {
  await expect.poll(() => eyes.errors.length).toBe(count)
  expect(eyes.errors.splice(0).every((line) => line.includes('status of 400'))).toBe(true)
}

const step = story('a project is served under a hostname of its own')

step('on Free there is none, and the way to one', async () => {
  await bench.go('settings/custom-domains')
  await page.getByText('Custom hostnames need the Pro plan').waitFor()
  await page.getByText('Vanity subdomains need the Pro plan').waitFor()
  await look('domains-00-free')
  await page.getByRole('link', { name: 'See plans' }).first().click()
  await page.waitForURL(`**/org/${bench.slug}/billing`)
})

step('on Pro it is enabled for its price', async () => {
  const path = `/platform/organizations/${bench.slug}/billing/subscription`
  expect((await bench.ada.call('PUT', path, { tier: 'tier_pro' })).status).toBe(200)
  await bench.go('settings/custom-domains')
  await button('Enable custom domain').waitFor()
  await look('domains-01-off')
  await button('Enable custom domain').click()
  await dialog().getByText('$10/month for Books', { exact: false }).waitFor()
  await dialog().getByRole('button', { name: 'Enable' }).click()
  await page.getByRole('textbox', { name: 'Hostname', exact: true }).waitFor()
  await look('domains-02-enabled')
})

step('what is no hostname is refused where it was entered', async () => {
  await page
    .getByRole('textbox', { name: 'Hostname', exact: true })
    .fill('https://api.acme-books.org/')
  await button('Add hostname').click()
  await page.getByText('Enter the hostname alone, such as api.example.com').waitFor()
  await page.getByRole('textbox', { name: 'Hostname', exact: true }).fill('x.projects.localhost')
  await button('Add hostname').click()
  await page.getByText('This hostname cannot be in the public DNS').waitFor()
  await look('domains-03-refused')
  await expectRefusals(2)
})

step('its records are shown, copied, and found', async () => {
  await page.getByRole('textbox', { name: 'Hostname', exact: true }).fill('API.Acme-Books.org')
  await button('Add hostname').click()
  await record('TXT').getByText('Not checked yet').waitFor()
  expect(await isOff('Activate hostname')).toBe('true')
  await look('domains-04-waiting')
  await button('Check records').click()
  await record('CNAME').getByText('Not found').waitFor()
  await record('TXT').getByRole('button', { name: 'Copy TXT value' }).click()
  const token = await page.evaluate(() => navigator.clipboard.readText())
  expect(token).toMatch(/^plinth-verification=[0-9a-f]{40}$/)
  dns.records.set(hostname, { CNAME: 'old-host.example.org' })
  dns.records.set(`_plinth-challenge.${hostname}`, { TXT: ['v=spf1 -all', token] })
  await button('Check records').click()
  await record('CNAME').getByText('old-host.example.org').waitFor()
  await record('TXT').getByText('Found', { exact: true }).waitFor()
  await look('domains-05-different')
  dns.records.set(hostname, { CNAME: target })
  await button('Check records').click()
  await page.getByText('Verified', { exact: true }).waitFor()
  expect(await isServed(hostname)).toBe(false)
  await look('domains-06-verified')
})

step('activated, it reaches the project, and other pages show it', async () => {
  acme.faults.refusal = 'The key authorization file is wrong'
  await button('Activate hostname').click()
  await dialog().getByText(`http://${hostname}:${projectPort}/auth/v1/callback`).waitFor()
  await look('domains-07-activate')
  await dialog().getByRole('button', { name: 'Activate hostname' }).click()
  await page.getByText('Active', { exact: true }).waitFor()
  const certificate = page.getByRole('region', { name: 'Certificate' })
  await certificate.getByText('The key authorization file is wrong', { exact: false }).waitFor()
  await certificate.getByText('Next try at', { exact: false }).waitFor()
  await look('domains-07-certificate-failed')
  acme.faults.refusal = undefined
  await button('Try again').click()
  await certificate.getByText('Active until', { exact: false }).waitFor()
  await expect.poll(() => isServed(hostname)).toBe(true)
  await look('domains-08-active')
  await bench.go('settings/api')
  await page.getByText(`http://${hostname}:${projectPort}`, { exact: true }).waitFor()
  await bench.go('?showConnect=true&connectTab=frameworks')
  await page.getByRole('dialog').getByText(hostname).first().waitFor()
})

step('a record that goes away is said', async () => {
  dns.records.delete(hostname)
  await bench.go('settings/custom-domains')
  await button('Check records').click()
  await page.getByText('A DNS record is missing').waitFor()
  await look('domains-09-failing')
  expect(await isServed(hostname)).toBe(true)
})

step('a readable name stands in the place of the reference', async () => {
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('www')
  await button('Activate subdomain').click()
  await page.getByText('This name is reserved for the platform').waitFor()
  await expectRefusals(1)
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('acme-books')
  await button('Activate subdomain').click()
  await button('Copy vanity URL').waitFor()
  const name = 'acme-books.projects.localhost'
  await expect.poll(() => isServed(name), { timeout: 60_000 }).toBe(true)
  await look('domains-10-vanity')
})

step('who may not change names reads them', async () => {
  const rita = await newPerson(bench.platform, 'rita')
  await join(bench.platform, bench.slug, bench.ada, rita)
  const { page: hers, eyes: herEyes } = await openPage(bench.platform, { as: rita })
  await hers.goto(`${bench.platform.url}/project/${bench.ref}/settings/custom-domains`)
  await button('Copy custom URL', hers).waitFor()
  expect(await isOff('Check records', hers)).toBe('true')
  expect(await isOff('Delete hostname', hers)).toBe('true')
  expect(herEyes.errors).toEqual([])
})

step('deleted, it reaches nothing', async () => {
  await button('Delete hostname').click()
  const confirm = dialog().getByRole('button', { name: 'Delete hostname' })
  expect(await confirm.isDisabled()).toBe(true)
  await look('domains-11-delete')
  await dialog().getByRole('textbox').fill(hostname)
  await confirm.click()
  await page.getByRole('textbox', { name: 'Hostname', exact: true }).waitFor()
  await expect.poll(() => isServed(hostname), { timeout: 60_000 }).toBe(false)
  await button('Disable add-on').click()
  await button('Enable custom domain').waitFor()
  expect(eyes.errors).toEqual([])
})

step('the dashboard itself is there over HTTPS, to sign in and to go on', async () => {
  const url = `https://localhost:${httpsPort}`
  const secure = await openPage({ url }, { ignoreHTTPSErrors: true })
  await secure.page.goto(`${url}/sign-in`)
  await secure.page.getByLabel('Email').fill(bench.ada.email)
  await secure.page.getByLabel('Password', { exact: true }).fill(password)
  await secure.page.getByRole('button', { name: /^Sign in/ }).click()
  const organizations = secure.page.getByRole('heading', { name: 'Organizations' }).first()
  await organizations.waitFor()
  await secure.page.reload()
  await organizations.waitFor()
  expect(secure.eyes.errors).toEqual([])
})

step('what cannot be reached is said, and asked for again', async () => {
  await page.route('**/domains', (route) => route.abort())
  await bench.go('settings/custom-domains')
  await button('Try again').waitFor()
  await look('domains-12-unreachable')
  await page.unroute('**/domains')
  await button('Try again').click()
  await button('Enable custom domain').waitFor()
})
