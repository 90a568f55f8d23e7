import { createServer, type Server } from 'node:http'
import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { end, listen } from '#data-plane/testing/auth/oidc'
import { createIdp, requestIn, type TestIdp } from '#data-plane/testing/auth/saml'
import { openPage, type Eyes } from '../testing/browser.ts'
import type { Account } from '../testing/client.ts'
import { atEnd } from '../testing/ends.ts'
import { newPerson } from '../testing/people.ts'
import type { Platform } from '../testing/platform.ts'
import { ownPlatform } from '../testing/shared-platform.ts'
import { story } from '../testing/story.ts'

let platform: Platform
let page: Page
let eyes: Eyes
let owner: Account
let idp: TestIdp
let idpServer: Server
const domain = 'corp.example.com'

/** The identity provider's page: it knows who sits there and posts the answer at once. */
function answerPage(requestUrl: string): string {
  const request = requestIn(requestUrl)
  const attributes = { email: `wanda@${domain}`, displayName: 'Wanda' }
  const form = idp.answer({ request, nameId: 'wanda', attributes })
  const fields = [...form].map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${value}">`,
  )
  return `<form method="post" action="${request.acsUrl}">${fields.join('')}</form>
    <script>document.forms[0].submit()</script>`
}

beforeAll(async () => {
  platform = await ownPlatform({ environment: { PLINTH_TRUSTED_SSO_DOMAINS: domain } })
  idpServer = createServer((request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(answerPage(`http://idp${request.url ?? ''}`))
  })
  atEnd(() => end(idpServer))
  // Another site than the platform's, as in life: browsers then keep its cookies from the form it posts.
  idp = createIdp('https://login.corp.example.com', `${await listen(idpServer)}/sso`)
  owner = await newPerson(platform, 'olga')
  for (const [name, tier] of [
    ['Free', 'tier_free'],
    ['Corp', 'tier_team'],
  ]) {
    await owner.call('POST', '/platform/organizations', { name, kind: 'PERSONAL', tier })
  }
  ;({ page, eyes } = await openPage(platform, { as: owner }))
})

const heading = (on: Page, name: string) => on.getByRole('heading', { name, exact: true }).waitFor()
const button = (name: string) => page.getByRole('button', { name, exact: true })

const step = story('single sign-on of an organization, set up and used')

step('on a plan without it, the page says so', async () => {
  await page.goto(`${platform.url}/org/free/sso`)
  await heading(page, 'Single sign-on')
  await page.getByText('This organization is on the Free plan.').waitFor()
  await expect
    .poll(() => button('Set up single sign-on').getAttribute('aria-disabled'))
    .toBe('true')
  await eyes.look('64-sso-plan')
})

step('an owner sets it up; what is missing is said where it is missing', async () => {
  await page.goto(`${platform.url}/org/corp/sso`)
  await button('Set up single sign-on').click()
  await button('Set up').click()
  await page.getByText('Enter an https address').waitFor()
  await page.getByText('Name at least one domain').waitFor()
  await button('Paste XML').click()
  await page.getByLabel('Metadata XML').fill('<a/>')
  await page.getByLabel('Domains').fill(`${domain}, corp.example.org`)
  await button('Set up').click()
  await page.getByText('The metadata describes no SAML identity provider').waitFor()
  await page.getByLabel('Metadata XML').fill(idp.metadata)
  await eyes.look('65-sso-form')
  await button('Set up').click()
  await page.getByText('Single sign-on is set up').first().waitFor()
  await page.getByText('Waiting for its DNS record').waitFor()
  await page.getByRole('heading', { name: 'Domains' }).scrollIntoViewIfNeeded()
  await eyes.look('66-sso-domains')
  await button('Verify corp.example.org').click()
  await page.getByText(/DNS record was not found|name servers are not responding/).waitFor()
})

step('somebody of the organization signs in there and is a member', async () => {
  const { page: wanda, eyes: wandasEyes } = await openPage(platform)
  await wanda.goto(`${platform.url}/sign-in-sso?returnTo=/org/corp`)
  await wanda.getByLabel('Work email').fill(`wanda@${domain}`)
  await wanda.getByRole('button', { name: 'Continue' }).click()
  await wanda.waitForURL((url) => url.pathname === '/org/corp')
  const members = async () =>
    Object.values((await owner.call('GET', '/platform/organizations/corp/members')).body)
  const expected = { primary_email: `wanda@${domain}`, is_sso_user: true }
  await expect.poll(members, { timeout: 60_000 }).toContainEqual(expect.objectContaining(expected))
  await heading(wanda, 'Projects')
  expect(new URL(wanda.url()).pathname).toBe('/org/corp')
  await wandasEyes.look('69-sso-member')
  await wanda.context().close()
})

step('OpenID asks for other things, on a phone too', async () => {
  await page.reload()
  await button('OpenID Connect').click()
  await page.getByLabel('Redirect URI', { exact: false }).first().waitFor()
  await eyes.look('67-sso-openid')
  await page.setViewportSize({ width: 390, height: 844 })
  await eyes.look('68-sso-390')
  await button('Cancel').click()
})

step('removed, nobody signs in with it', async () => {
  await button('Remove').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Remove single sign-on' }).click()
  await page.getByText('Not set up').waitFor()
  const answer = await fetch(`${platform.url}/auth/v1/sso`, {
    method: 'POST',
    body: JSON.stringify({ domain, skip_http_redirect: true }),
  })
  expect(answer.status).toBe(404)
  expect(eyes.errors.filter((line) => !line.includes('Failed to load resource'))).toEqual([])
})
