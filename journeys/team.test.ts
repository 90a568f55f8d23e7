import { generateSync } from 'otplib'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, watch, type Eyes } from './testing/browser.ts'
import { createProject, signUp, type Person } from './testing/client.ts'
import { startPlatform, type Platform } from './testing/platform.ts'

let platform: Platform
let browser: Browser
let olgaPage: Page
let doraPage: Page
let olgaEyes: Eyes
let doraEyes: Eyes
let olga: Person

const password = 'Str0ng-enough!'
const owner = 'olga@example.com'
const guest = 'dora@example.com'
const contexts: BrowserContext[] = []

async function open(): Promise<{ page: Page; eyes: Eyes }> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  contexts.push(context)
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  return { page, eyes: watch(page) }
}

beforeAll(async () => {
  platform = await startPlatform()
  browser = await openBrowser()
  olga = await signUp(platform.url, owner, password)
  await olga.call('POST', '/platform/organizations', {
    name: 'Acme',
    kind: 'COMPANY',
    size: '10',
    tier: 'tier_enterprise',
  })
  await createProject(olga, 'acme', 'Storefront')
  await createProject(olga, 'acme', 'Warehouse')
  const first = await open()
  const second = await open()
  olgaPage = first.page
  olgaEyes = first.eyes
  doraPage = second.page
  doraEyes = second.eyes
})
afterAll(async () => {
  await browser?.close()
  await platform?.dispose()
})

const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { name }).first().waitFor()
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' }).first()
const row = (page: Page, text: string) => page.getByRole('row', { name: new RegExp(text) })

/** The newest mail to this address, as the mailbox has it. */
async function linkSentTo(email: string): Promise<string> {
  let link: string | undefined
  await expect
    .poll(
      async () => {
        const answer = await fetch(`${platform.url}/platform/mailbox?recipient=${email}`)
        // What the endpoint answers with, by its contract.
        const [mail] = (await answer.json()) as { text: string }[]
        link = /https?:\S+\/join\S+/.exec(mail?.text ?? '')?.[0]
        return link
      },
      { timeout: 30_000 },
    )
    .toBeDefined()
  return link ?? ''
}

test('an owner sees the team, what roles may do, and invites somebody to one project', async () => {
  const page = olgaPage
  await page.goto(`${platform.url}/sign-in?returnTo=/org/acme/team`)
  await page.getByLabel('Email').fill(owner)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await button(page, 'Sign in').click()
  await heading(page, 'Team')
  await row(page, owner).getByText('Owner').waitFor()
  await olgaEyes.look('60-team')

  await button(page, 'Roles').click()
  await page.getByRole('dialog', { name: 'What each role may do' }).waitFor()
  await olgaEyes.look('61-role-matrix')
  await page.keyboard.press('Escape')

  await button(page, 'Invite').click()
  const panel = page.getByRole('dialog', { name: 'Invite to Acme' })
  await panel.getByLabel('Email').fill(guest)
  await panel.getByText('Single projects').click()
  await panel.getByText('Storefront').click()
  await olgaEyes.look('62-invite')
  await panel.getByRole('button', { name: 'Send invitation' }).click()
  await row(page, guest).waitFor()
  await olgaEyes.look('63-invited')
})

test('the link in the mail leads through signing up to the project, and to no other', async () => {
  const page = doraPage
  await page.goto(await linkSentTo(guest))
  await heading(page, 'Join Acme')
  await doraEyes.look('64-join-signed-out')
  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.getByLabel('Email').fill(guest)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await button(page, 'Create account').click()
  await button(page, 'Accept invitation').waitFor()
  await doraEyes.look('65-join')
  await button(page, 'Accept invitation').click()
  await page.getByRole('link', { name: 'Storefront' }).first().waitFor()
  expect(await page.getByText('Warehouse').count()).toBe(0)
  await page.goto(`${platform.url}/org/acme/team`)
  await heading(page, 'Team')
  expect(await button(page, 'Invite').getAttribute('aria-disabled')).toBe('true')
  await row(page, guest).getByText('You', { exact: true }).waitFor()
})

test('an invitation for somebody else, a used one and a cut one say so', async () => {
  const page = doraPage
  await page.goto(await linkSentTo(guest))
  await heading(page, 'You are a member already')
  await olga.call('POST', '/platform/organizations/acme/members/invitations', {
    email: 'somebody@example.com',
    role_id: 3,
  })
  const link = await linkSentTo('somebody@example.com')
  await olgaPage.goto(`${platform.url}/join?token=short&slug=acmes`)
  await heading(olgaPage, 'This invitation does not work')
  const { page: other, eyes } = await open()
  await signUp(platform.url, 'eve@example.com', password)
  await other.goto(`${platform.url}/sign-in`)
  await other.getByLabel('Email').fill('eve@example.com')
  await other.getByLabel('Password', { exact: true }).fill(password)
  await button(other, 'Sign in').click()
  await heading(other, 'Organizations')
  await other.goto(link)
  await other.getByText('This invitation is for another address').waitFor()
  await eyes.look('66-join-wrong-address')
  await button(other, 'Sign in as somebody else').click()
  await heading(other, 'Sign in')
  expect(other.url()).toContain('returnTo')
})

test('a changed role shows what changes, and holds for the other at once', async () => {
  const page = olgaPage
  await page.goto(`${platform.url}/org/acme/team`)
  await button(page, `Actions for ${guest}`).click()
  await page.getByRole('menuitem', { name: 'Manage access' }).click()
  const panel = page.getByRole('dialog', { name: `Access of ${guest}` })
  await panel.getByText('Warehouse').click()
  await panel.getByRole('button', { name: /^Role in Warehouse/ }).click()
  await page.getByRole('option', { name: /Administrator/ }).click()
  await panel.getByText('becomes').waitFor({ state: 'attached' })
  await olgaEyes.look('67-access')
  await panel.getByRole('button', { name: 'Save access' }).click()
  await panel.waitFor({ state: 'hidden' })
  await row(page, guest).getByText('in Warehouse').waitFor()

  await doraPage.goto(`${platform.url}/org/acme`)
  await doraPage.getByRole('link', { name: 'Warehouse' }).first().waitFor()

  await button(page, `Actions for ${guest}`).click()
  await page.getByRole('menuitem', { name: 'Manage access' }).click()
  await panel.getByText('All projects').first().click()
  await panel.getByRole('button', { name: /^Role:/ }).click()
  await page.getByRole('option', { name: 'Administrator' }).click()
  await panel.getByRole('button', { name: 'Save access' }).click()
  await panel.waitFor({ state: 'hidden' })
  await doraPage.goto(`${platform.url}/org/acme/team`)
  await expect.poll(() => button(doraPage, 'Invite').getAttribute('aria-disabled')).toBeNull()
})

test('who is removed is out at once; the last owner can not leave; narrow screens hold it all', async () => {
  const page = olgaPage
  await button(page, `Actions for ${owner}`).click()
  const leave = page.getByRole('menuitem', { name: /Leave organization/ })
  expect(await leave.getAttribute('aria-disabled')).toBe('true')
  await olgaEyes.look('68-last-owner')
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 390, height: 844 })
  await olgaEyes.look('69-team-phone')
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(
    true,
  )
  await button(page, 'Invite').click()
  await page.getByRole('dialog').waitFor()
  await olgaEyes.look('70-invite-phone')
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 1440, height: 900 })

  await button(page, `Actions for ${guest}`).click()
  await page.getByRole('menuitem', { name: 'Remove member' }).click()
  await page.getByRole('dialog', { name: `Remove ${guest}` }).waitFor()
  await olgaEyes.look('71-remove')
  await button(page, 'Remove member').click()
  // While the dialog is open, nothing behind it has a role.
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(() => row(page, guest).count()).toBe(0)
  await doraPage.goto(`${platform.url}/org/acme`)
  await doraPage.getByText("We couldn't find that organization").first().waitFor()
  const own = [...olgaEyes.errors, ...doraEyes.errors]
  expect(own.filter((line) => !line.includes('Failed to load resource'))).toEqual([])
})

/** Adds a second factor to an account and shows it: a token of level aal2. */
async function withFactor(person: Person): Promise<string> {
  const auth = async (path: string, body: object) => {
    const answer = await fetch(`${platform.url}/auth/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    // An answer of the auth service as its contract says.
    return (await answer.json()) as {
      id: string
      totp?: { secret: string }
      access_token?: string
    }
  }
  const { id, totp } = await auth('/factors', { factor_type: 'totp', friendly_name: 'app' })
  const challenge = await auth(`/factors/${id}/challenge`, {})
  const code = generateSync({ secret: totp?.secret ?? '' })
  const session = await auth(`/factors/${id}/verify`, { challenge_id: challenge.id, code })
  return session.access_token ?? ''
}

test('an organization that requires a second factor shows its members how to get in', async () => {
  const finn = await signUp(platform.url, 'finn@example.com', password)
  const base = '/platform/organizations/acme'
  await olga.call('POST', `${base}/members/invitations`, { email: 'finn@example.com', role_id: 2 })
  const token = new URL(await linkSentTo('finn@example.com')).searchParams.get('token') ?? ''
  expect((await finn.call('POST', `${base}/members/invitations/${token}`)).status).toBe(200)
  const { body } = await finn.call('GET', '/platform/projects')
  // The list as the contract has it.
  const [project] = body['projects'] as { ref: string }[]

  const { page, eyes } = await open()
  await page.goto(`${platform.url}/sign-in?returnTo=/org/acme/team`)
  await page.getByLabel('Email').fill('finn@example.com')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await button(page, 'Sign in').click()
  await heading(page, 'Team')

  const required = { organization_requires_mfa: true }
  expect((await olga.call('PATCH', base, required)).status).toBe(403)
  const changed = await fetch(platform.url + base, {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${await withFactor(olga)}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(required),
  })
  expect(changed.status).toBe(200)

  // The page that is open is refused what it does next, and leads to what there is to do.
  await button(page, 'Invite').click()
  const panel = page.getByRole('dialog', { name: 'Invite to Acme' })
  await panel.getByLabel('Email').fill('gil@example.com')
  await panel.getByRole('button', { name: 'Send invitation' }).click()
  await heading(page, 'This organization requires two-factor authentication')
  await expect.poll(() => new URL(page.url()).pathname).toBe('/org/acme')
  await eyes.look('72-factor-needed')
  for (const path of [`/project/${project?.ref}`, '/org/acme/general', '/new/acme']) {
    await page.goto(platform.url + path)
    await expect.poll(() => new URL(page.url()).pathname).toBe('/org/acme')
    await heading(page, 'This organization requires two-factor authentication')
  }
  expect(eyes.errors.filter((line) => !line.includes('Failed to load resource'))).toEqual([])
})
