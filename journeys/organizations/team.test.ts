import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { openPage, type Eyes } from '../testing/browser.ts'
import { createProject, type Account } from '../testing/client.ts'
import { atEnd } from '../testing/ends.ts'
import { addressOf, enrol, newPerson, password } from '../testing/people.ts'
import type { Place } from '../testing/platform.ts'
import { sharedPlatform } from '../testing/shared-platform.ts'
import { story } from '../testing/story.ts'

let platform: Place
let olgaPage: Page
let doraPage: Page
let olgaEyes: Eyes
let doraEyes: Eyes
let olga: Account

let owner: string
/** Of Acme. */
let slug: string
const guest = addressOf('dora')

beforeAll(async () => {
  platform = sharedPlatform()
  olga = await newPerson(platform, 'olga')
  owner = olga.email
  const made = await olga.call('POST', '/platform/organizations', {
    name: 'Acme',
    kind: 'COMPANY',
    size: '10',
    tier: 'tier_enterprise',
  })
  slug = String(made.body['slug'])
  for (const name of ['Storefront', 'Warehouse']) {
    const { ref } = await createProject(olga, slug, name)
    atEnd(() => olga.call('DELETE', `/platform/projects/${ref}`))
  }
  const first = await openPage(platform, { as: olga })
  const second = await openPage(platform)
  olgaPage = first.page
  olgaEyes = first.eyes
  doraPage = second.page
  doraEyes = second.eyes
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
      { timeout: 60_000 },
    )
    .toBeDefined()
  return link ?? ''
}

const step = story('a team: invited, changed, removed, and asked for a second factor')

step('an owner sees the team, what roles may do, and invites somebody to one project', async () => {
  const page = olgaPage
  await page.goto(`${platform.url}/org/${slug}/team`)
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

step('the link in the mail leads through signing up to the project, and to no other', async () => {
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
  await expect.poll(() => page.getByText('Warehouse').count()).toBe(0)
  await page.goto(`${platform.url}/org/${slug}/team`)
  await heading(page, 'Team')
  await expect.poll(() => button(page, 'Invite').getAttribute('aria-disabled')).toBe('true')
  await row(page, guest).getByText('You', { exact: true }).waitFor()
})

step('an invitation for somebody else, a used one and a cut one say so', async () => {
  const page = doraPage
  await page.goto(await linkSentTo(guest))
  await heading(page, 'You are a member already')
  const somebody = addressOf('somebody')
  await olga.call('POST', `/platform/organizations/${slug}/members/invitations`, {
    email: somebody,
    role_id: 3,
  })
  const link = await linkSentTo(somebody)
  await olgaPage.goto(`${platform.url}/join?token=short&slug=${slug}s`)
  await heading(olgaPage, 'This invitation does not work')
  const eve = await newPerson(platform, 'eve')
  const { page: other, eyes } = await openPage(platform, { as: eve })
  await other.goto(link)
  await other.getByText('This invitation is for another address').waitFor()
  await eyes.look('66-join-wrong-address')
  await button(other, 'Sign in as someone else').click()
  await heading(other, 'Sign in')
  expect(other.url()).toContain('returnTo')
})

step('a changed role shows what changes, and holds for the other at once', async () => {
  const page = olgaPage
  await page.goto(`${platform.url}/org/${slug}/team`)
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

  await doraPage.goto(`${platform.url}/org/${slug}`)
  await doraPage.getByRole('link', { name: 'Warehouse' }).first().waitFor()

  await button(page, `Actions for ${guest}`).click()
  await page.getByRole('menuitem', { name: 'Manage access' }).click()
  await panel.getByText('All projects').first().click()
  await panel.getByRole('button', { name: /^Role:/ }).click()
  await page.getByRole('option', { name: 'Administrator' }).click()
  await panel.getByRole('button', { name: 'Save access' }).click()
  await panel.waitFor({ state: 'hidden' })
  await doraPage.goto(`${platform.url}/org/${slug}/team`)
  await expect.poll(() => button(doraPage, 'Invite').getAttribute('aria-disabled')).toBeNull()
})

step(
  'who is removed is out at once; the last owner cannot leave; narrow screens hold it all',
  async () => {
    const page = olgaPage
    await button(page, `Actions for ${owner}`).click()
    const leave = page.getByRole('menuitem', { name: /Leave organization/ })
    await expect.poll(() => leave.getAttribute('aria-disabled')).toBe('true')
    await olgaEyes.look('68-last-owner')
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 390, height: 844 })
    await olgaEyes.look('69-team-phone')
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth),
    ).toBe(true)
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
    await doraPage.goto(`${platform.url}/org/${slug}`)
    await doraPage.getByText("We couldn't find that organization").first().waitFor()
    const own = [...olgaEyes.errors, ...doraEyes.errors]
    expect(own.filter((line) => !line.includes('Failed to load resource'))).toEqual([])
  },
)

step('an organization that requires a second factor shows its members how to get in', async () => {
  const finn = await newPerson(platform, 'finn')
  const base = `/platform/organizations/${slug}`
  await olga.call('POST', `${base}/members/invitations`, { email: finn.email, role_id: 2 })
  const token = new URL(await linkSentTo(finn.email)).searchParams.get('token') ?? ''
  expect((await finn.call('POST', `${base}/members/invitations/${token}`)).status).toBe(200)
  const { body } = await finn.call('GET', '/platform/projects')
  // The list as the contract has it.
  const [project] = body['projects'] as { ref: string }[]

  const { page, eyes } = await openPage(platform, { as: finn })
  await page.goto(`${platform.url}/org/${slug}/team`)
  await heading(page, 'Team')

  const required = { organization_requires_mfa: true }
  expect((await olga.call('PATCH', base, required)).status).toBe(403)
  const { strong } = await enrol(platform, olga)
  expect((await strong.call('PATCH', base, required)).status).toBe(200)

  // The page that is open is refused what it does next, and leads to what there is to do.
  await button(page, 'Invite').click()
  const panel = page.getByRole('dialog', { name: 'Invite to Acme' })
  await panel.getByLabel('Email').fill('gil@example.com')
  await panel.getByRole('button', { name: 'Send invitation' }).click()
  await heading(page, 'This organization requires two-factor authentication')
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/org/${slug}`)
  await eyes.look('72-factor-needed')
  for (const path of [`/project/${project?.ref}`, `/org/${slug}/general`, `/new/${slug}`]) {
    await page.goto(platform.url + path)
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/org/${slug}`)
    await heading(page, 'This organization requires two-factor authentication')
  }
  expect(eyes.errors.filter((line) => !line.includes('Failed to load resource'))).toEqual([])
})
