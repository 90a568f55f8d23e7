import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { openPage, type Eyes } from '../testing/browser.ts'
import { createOrganization, createProject, type Account } from '../testing/client.ts'
import { newPerson } from '../testing/people.ts'
import { sharedPlatform } from '../testing/shared-platform.ts'
import { story } from '../testing/story.ts'

let page: Page
let eyes: Eyes
let ada: Account
let address: string

beforeAll(async () => {
  const platform = sharedPlatform()
  ada = await newPerson(platform)
  const slug = await createOrganization(ada, 'Acme')
  await createProject(ada, slug, 'Books')
  await createProject(ada, slug, 'Films')
  address = `${platform.url}/org/${slug}`
  ;({ page, eyes } = await openPage(platform, { as: ada }))
  await page.goto(address)
})

const star = (name: string) => page.getByRole('button', { name })
const order = () => page.locator('main h2 a').allTextContents()
const rows = () => page.locator('tbody tr a').allTextContents()

const step = story('a person marks projects, which come first in their lists')

step('the star of a card puts its project first, also after a reload', async () => {
  await expect.poll(order).toEqual(['Films', 'Books'])
  await star('Add Books to favorites').click()
  await star('Remove Books from favorites').waitFor()
  await expect.poll(order).toEqual(['Books', 'Films'])
  await eyes.look('10-favorite-cards')
  await page.reload()
  await star('Remove Books from favorites').waitFor()
  await expect.poll(order).toEqual(['Books', 'Films'])
})

step('the table has it too, and the keyboard takes it away', async () => {
  await page.goto(`${address}?view=table`)
  await expect.poll(rows).toEqual(['Books', 'Films'])
  await eyes.look('20-favorite-table')
  await star('Remove Books from favorites').focus()
  await page.keyboard.press('Space')
  await star('Add Books to favorites').waitFor()
  await expect.poll(rows).toEqual(['Films', 'Books'])
})

step('what could not be saved is taken back, with the reason', async () => {
  await page.route('**/favorite', (route) => route.abort())
  await star('Add Books to favorites').click()
  await page.getByText('Books was not changed').waitFor()
  await star('Add Books to favorites').waitFor()
  expect(eyes.errors.filter((line) => !line.includes('ERR_FAILED'))).toEqual([])
})
