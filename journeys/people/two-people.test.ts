import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { makeOverdue } from '../testing/billing-client.ts'
import { openPage, type Eyes } from '../testing/browser.ts'
import { createOrganization, databasePassword, reaches, type Account } from '../testing/client.ts'
import { atEnd } from '../testing/ends.ts'
import { asOperator } from '../testing/operator.ts'
import { enrol, newPerson } from '../testing/people.ts'
import type { Place } from '../testing/platform.ts'
import { sharedPlatform } from '../testing/shared-platform.ts'
import { story } from '../testing/story.ts'

/** One long story: Ada has Acme, Bob has Beta, and what happens between them from the invitation to the parting. */
let platform: Place
let ada: { person: Account; page: Page; eyes: Eyes }
let bob: { person: Account; page: Page; eyes: Eyes }
let ref: string
/** Of Acme and Beta. */
let slug: string
let beta: string
let [adasMail, bobsMail] = ['', '']

async function enter(person: Account) {
  const { page, eyes } = await openPage(platform, { as: person })
  return { person, page, eyes }
}

beforeAll(async () => {
  platform = sharedPlatform()
  const [a, b] = [await newPerson(platform), await newPerson(platform, 'bob')]
  ;[adasMail, bobsMail] = [a.email, b.email]
  slug = await createOrganization(a, 'Acme', 'tier_free')
  beta = await createOrganization(b, 'Beta', 'tier_free')
  const made = await a.call('POST', '/platform/projects', {
    name: 'Storefront',
    organization_slug: slug,
    db_pass: databasePassword,
    db_region: 'eu-central-1',
  })
  expect(made.status).toBe(201)
  ref = String(made.body['ref'])
  // It belongs to Beta by then.
  atEnd(() => b.call('DELETE', `/platform/projects/${ref}`))
  const { strong } = await enrol(platform, a)
  ada = await enter(strong)
  bob = await enter(b)
})

const goTo = (page: Page, path: string) => page.goto(platform.url + path)
const press = (page: Page, name: string | RegExp) =>
  page
    .getByRole('button', { name, exact: typeof name === 'string' })
    .first()
    .click()
const saying = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()
const banner = (page: Page, title: string) => page.locator('.banner', { hasText: title })

/** The link of the newest invitation to this address. */
async function invitationOf(email: string): Promise<string> {
  let link: string | undefined
  await expect
    .poll(async () => {
      const answer = await fetch(`${platform.url}/platform/mailbox?recipient=${email}`)
      // What the endpoint answers with, by its contract.
      const mails = (await answer.json()) as { text: string }[]
      link = mails.map(({ text }) => /https?:\S+\/join\S+/.exec(text)?.[0]).find(Boolean)
      return link
    })
    .toBeDefined()
  return link ?? ''
}

const step = story('Ada and Bob, from the invitation to the parting')

step('Ada invites Bob; he comes in by the link', async () => {
  await goTo(ada.page, `/org/${slug}/team`)
  await press(ada.page, 'Invite')
  const panel = ada.page.getByRole('dialog', { name: 'Invite to Acme' })
  await panel.getByLabel('Email').fill(bobsMail)
  await panel.getByRole('button', { name: 'Send invitation' }).click()
  await ada.page.getByRole('row', { name: new RegExp(bobsMail) }).waitFor()
  await bob.page.goto(await invitationOf(bobsMail))
  await press(bob.page, 'Accept invitation')
  await bob.page.getByRole('link', { name: 'Storefront' }).first().waitFor()
  await bob.eyes.look('96-joined')
})

step('his role changes, which his inbox tells him', async () => {
  await goTo(ada.page, `/org/${slug}/team`)
  await press(ada.page, `Actions for ${bobsMail}`)
  await ada.page.getByRole('menuitem', { name: 'Manage access' }).click()
  const panel = ada.page.getByRole('dialog', { name: `Access of ${bobsMail}` })
  await panel.getByRole('button', { name: /^Role:/ }).click()
  await ada.page.getByRole('option', { name: 'Administrator' }).click()
  await panel.getByRole('button', { name: 'Save access' }).click()
  await panel.waitFor({ state: 'hidden' })
  await goTo(bob.page, `/org/${slug}/team`)
  await press(bob.page, /^Notifications/)
  await saying(bob.page, 'Your role in Acme has changed')
  await bob.eyes.look('97-inbox')
  await press(bob.page, /^Archive: Your role/)
  await saying(bob.page, 'Nothing new')
  await bob.page.keyboard.press('Escape')
})

step(
  'Acme asks for a second factor, as Ada has one: Bob stays outside until it does not any more',
  async () => {
    await goTo(ada.page, `/org/${slug}/security`)
    await press(ada.page, 'Require second factor')
    await ada.page
      .getByRole('dialog')
      .getByRole('button', { name: 'Require second factor' })
      .click()
    await saying(ada.page, 'A second factor is required from now on')

    await goTo(bob.page, `/project/${ref}`)
    await saying(bob.page, 'This organization requires two-factor authentication')
    expect(new URL(bob.page.url()).pathname).toBe(`/org/${slug}`)
    await press(ada.page, 'Stop requiring')
    await ada.page.getByRole('dialog').getByRole('button', { name: 'Stop requiring' }).click()
    await saying(ada.page, 'A second factor is no longer required')
  },
)

step('Acme moves to Pro; its invoice is not paid, and its projects end up restricted', async () => {
  await goTo(ada.page, `/org/${slug}/billing?plan=pro`)
  const panel = ada.page.getByRole('dialog', { name: 'Change to Pro' })
  await panel.getByRole('button', { name: 'Upgrade to Pro' }).click()
  await saying(ada.page, 'The organization is on Pro now')
  await makeOverdue(platform, slug)
  await goTo(ada.page, '/organizations')
  await banner(ada.page, 'Outstanding Invoices').first().waitFor()
  await ada.eyes.look('98-overdue')

  await asOperator(platform, 'PUT', `billing/organizations/${slug}`, {
    restriction_status: 'restricted',
  })
  await goTo(ada.page, `/org/${slug}`)
  await banner(ada.page, 'Services Restricted').waitFor()
  expect(await reaches(ada.person, ref, ['ACTIVE_HEALTHY'], 180_000)).toBe('ACTIVE_HEALTHY')
  const refused = await bob.person.call('POST', '/platform/projects', {
    name: 'One more',
    organization_slug: slug,
    db_pass: databasePassword,
    db_region: 'eu-central-1',
  })
  expect(refused).toMatchObject({ status: 402, body: { code: 'organization_restricted' } })
  await ada.page.setViewportSize({ width: 390, height: 844 })
  await ada.eyes.look('99-restricted-phone')
  await ada.page.setViewportSize({ width: 1440, height: 900 })
  const { body } = await ada.person.call('GET', `/platform/organizations/${slug}/billing/invoices`)
  // What the endpoint answers with, by its contract.
  for (const { id } of body['invoices'] as { id: string }[]) {
    await asOperator(platform, 'POST', `billing/invoices/${id}/paid`)
  }
  await asOperator(platform, 'PUT', `billing/organizations/${slug}`, { restriction_status: null })
})

step('Storefront goes to Beta, where both may see it', async () => {
  const invitation = { email: adasMail, role_id: 2 }
  const base = `/platform/organizations/${beta}/members/invitations`
  expect((await bob.person.call('POST', base, invitation)).status).toBe(201)
  await ada.page.goto(await invitationOf(adasMail))
  await press(ada.page, 'Accept invitation')
  await ada.page.getByRole('heading', { name: 'Projects', exact: true }).waitFor()
  await goTo(ada.page, `/project/${ref}/settings/general`)
  await press(ada.page, 'Transfer project')
  await ada.page.getByRole('button', { name: /^To organization:/ }).click()
  await ada.page.getByRole('option', { name: /Beta/ }).click()
  await ada.page.getByRole('dialog').getByRole('button', { name: 'Transfer project' }).click()
  await saying(ada.page, 'Storefront belongs to Beta now')
  await goTo(bob.page, `/org/${beta}`)
  await bob.page.getByRole('link', { name: 'Storefront' }).first().waitFor()
})

step('they part: Bob is out of Acme at once, and his inbox says so', async () => {
  await goTo(ada.page, `/org/${slug}/team`)
  await press(ada.page, `Actions for ${bobsMail}`)
  await ada.page.getByRole('menuitem', { name: 'Remove member' }).click()
  const dialog = ada.page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Remove member' }).click()
  // Rows behind an open dialog cannot be found by role: it closes when Bob is out.
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => ada.page.getByRole('row', { name: new RegExp(bobsMail) }).count()).toBe(0)
  await goTo(bob.page, `/org/${slug}`)
  await saying(bob.page, "We couldn't find that organization")
  await press(bob.page, /^Notifications/)
  await saying(bob.page, 'You are no longer in Acme')
  const own = [...ada.eyes.errors, ...bob.eyes.errors]
  // What the browser itself writes for every refused call; the pages' own errors stay.
  expect(own.filter((line) => !line.includes('Failed to load resource'))).toEqual([])
})
