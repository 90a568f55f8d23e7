import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { Eyes } from '../testing/browser.ts'
import { newPerson, password } from '../testing/people.ts'
import { openWorkbench, type Workbench } from '../testing/workbench.ts'

/** What comes between a person and their work: an ended session, no network, links that lead to nothing. */
let bench: Workbench
let page: Page
let eyes: Eyes
beforeAll(async () => {
  bench = await openWorkbench({ name: 'Shop' })
  ;({ page, eyes } = bench)
})

const button = (name: string, on = page) => on.getByRole('button', { name, exact: true })
const heading = (name: string, on = page) => on.getByRole('heading', { name }).waitFor()
/** What the server has, asked with the session of the browser. */
const firstName = () =>
  page.evaluate(async () => {
    const { access_token: token } = JSON.parse(localStorage.getItem('plinth.session') ?? '{}') as {
      access_token: string
    }
    const headers = { authorization: `Bearer ${token}` }
    const profile = (await (await fetch('/platform/profile', { headers })).json()) as object
    return 'first_name' in profile ? profile.first_name : undefined
  })
const dialog = () => page.getByRole('dialog', { name: 'Your session has ended' })

/**
 * Saves in an ended session. By script: what the page asks for by itself may be refused a moment before, and then the dialog lies
 * over the button already.
 */
const saveTooLate = () =>
  button('Save')
    .first()
    .evaluate((save: HTMLElement) => save.click())

/** Ends the session of the browser, as signing out on another machine does. */
const endSession = () =>
  page.evaluate(async () => {
    const kept = JSON.parse(localStorage.getItem('plinth.session') ?? '{}') as {
      access_token: string
    }
    const headers = { authorization: `Bearer ${kept.access_token}` }
    await fetch('/auth/v1/logout?scope=local', { method: 'POST', headers })
  })

test('without a network a banner says so, and what is saved meanwhile is sent later', async () => {
  await page.goto(`${bench.platform.url}/account/me`)
  await heading('Profile')
  await page.context().setOffline(true)
  await page.getByText('You are offline.').waitFor()
  await eyes.look('interruptions-00-offline')
  await page.getByLabel('First name').fill('Augusta')
  await button('Save').first().click()
  await page.context().setOffline(false)
  await page.getByText('You are offline.').waitFor({ state: 'hidden' })
  await expect.poll(firstName).toBe('Augusta')
})

test('an ended session asks once, and the page goes on with what was typed in it', async () => {
  await page.goto(`${bench.platform.url}/account/me`)
  await heading('Profile')
  await page.getByLabel('First name').fill('Adelaide')
  await endSession()
  await saveTooLate()
  await dialog().waitFor()
  await eyes.look('interruptions-01-session')
  const opened = page.context().waitForEvent('page')
  await dialog().getByRole('link', { name: 'Sign in' }).click()
  const other = await opened
  await other.getByLabel('Email').fill(bench.ada.email)
  await other.getByLabel('Password', { exact: true }).fill(password)
  await other
    .getByRole('button', { name: /^Sign in/ })
    .first()
    .click()
  // It comes back to the same page, and this one continues.
  await heading('Profile', other)
  await other.close()
  await dialog().waitFor({ state: 'hidden' })
  await expect.poll(() => page.getByLabel('First name').inputValue()).toBe('Adelaide')
  await button('Save').first().click()
  await expect.poll(firstName).toBe('Adelaide')
})

test('when somebody else signs in meanwhile, nothing of the first person stays on the screen', async () => {
  const grace = await newPerson(bench.platform, 'grace')
  await page.goto(`${bench.platform.url}/account/me`)
  await heading('Profile')
  await page.getByLabel('First name').fill('Ada')
  await endSession()
  await saveTooLate()
  const opened = page.context().waitForEvent('page')
  await dialog().getByRole('link', { name: 'Sign in' }).click()
  const other = await opened
  await other.getByLabel('Email').fill(grace.email)
  await other.getByLabel('Password', { exact: true }).fill(password)
  await other
    .getByRole('button', { name: /^Sign in/ })
    .first()
    .click()
  await heading('Profile', other)
  await other.close()
  await page.waitForURL(`${bench.platform.url}/organizations`)
  await page.getByText(grace.email).first().waitFor()
})

test('links that lead to nothing say what is missing', async () => {
  const { page: fresh, eyes: seen } = await bench.newPage()
  await fresh.goto(`${bench.platform.url}/join`)
  await heading('This link is not complete', fresh)
  await seen.look('interruptions-02-join')
  expect(seen.errors.filter((line) => !line.includes('Failed to load resource'))).toEqual([])
})
