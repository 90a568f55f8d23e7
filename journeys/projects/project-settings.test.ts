import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { freePort } from '#kit/testing/free-port'
import { openPage, type Eyes } from '../testing/browser.ts'
import { createOrganization, reaches, type Account } from '../testing/client.ts'
import { newPerson } from '../testing/people.ts'
import type { Place } from '../testing/platform.ts'
import { ownPlatform } from '../testing/shared-platform.ts'
import { openProject } from '../testing/workbench.ts'
import { wrongsOf } from '../testing/world.ts'
import { story } from '../testing/story.ts'

let platform: Place
let page: Page
let eyes: Eyes
let ada: Account
let ref: string
/** Of Acme. */
let slug: string

beforeAll(async () => {
  // What is left on it in the end is looked at.
  platform = await ownPlatform()
  ada = await newPerson(platform)
  slug = await createOrganization(ada, 'Acme')
  ref = (await openProject(ada, slug, 'Books')).ref
  ;({ page, eyes } = await openPage(platform, { as: ada }))
  await page.goto(`${platform.url}/project/${ref}/settings/general`)
  await page.getByRole('heading', { name: 'General' }).waitFor()
})

const name = () => page.getByLabel('Project name')
const confirming = (verb: string) => page.getByRole('dialog').getByRole('button', { name: verb })

const step = story('a project is renamed, served at a port, paused and deleted')

step('a name is saved only when it changed, and a wrong one is refused in place', async () => {
  const save = page.getByRole('button', { name: 'Save' }).first()
  await expect.poll(() => save.isDisabled()).toBe(true)
  await name().fill('ab')
  await save.click()
  await page
    .getByText(/3 to 64 characters/)
    .first()
    .waitFor()
  await name().fill('Films')
  await save.click()
  await page.getByText('Name saved').first().waitFor()
  expect((await ada.call('GET', `/platform/projects/${ref}`)).body).toMatchObject({ name: 'Films' })
})

step('a port of the machine is saved, served, refused in place and closed', async () => {
  const port = page.getByRole('textbox', { name: 'Port' })
  const save = page.getByRole('button', { name: 'Save' }).last()
  await port.fill('80')
  await save.click()
  await page.getByText('A port is from 1024 to 65535').waitFor()
  await port.fill(String(platform.ports.port))
  await save.click()
  await page.getByText(`Port ${platform.ports.port} is kept for the platform`).first().waitFor()
  const free = await freePort()
  await port.fill(String(free))
  await save.click()
  await page.getByText('Port saved').first().waitFor()
  await page.getByText(`http://127.0.0.1:${free}`).first().waitFor()
  await eyes.look('49-project-port')
  const served = await fetch(`http://127.0.0.1:${free}/auth/v1/health`)
  expect(served.status).toBe(200)
  await served.body?.cancel()
  await port.fill('')
  await save.click()
  await page.getByText('The port is closed').first().waitFor()
  await expect(fetch(`http://127.0.0.1:${free}/auth/v1/health`)).rejects.toThrow('fetch failed')
})

step('a restart asks first and comes back healthy', async () => {
  await page.getByRole('button', { name: 'Restart project' }).click()
  await confirming('Restart project').click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await reaches(ada, ref, ['ACTIVE_HEALTHY'])
  await page.getByText('Healthy').first().waitFor()
})

step('deleting asks for the name, and leaves nothing of the project', async () => {
  await page.getByRole('button', { name: 'Delete project' }).click()
  await expect.poll(() => confirming('Delete project').isDisabled()).toBe(true)
  await page.getByRole('dialog').getByRole('textbox').fill('Films?')
  await expect.poll(() => confirming('Delete project').isDisabled()).toBe(true)
  await page.getByRole('dialog').getByRole('textbox').fill('Films')
  await eyes.look('50-delete-project')
  await confirming('Delete project').click()
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/org/${slug}`)
  await reaches(ada, ref, ['404'])
  await expect.poll(() => wrongsOf(platform), { timeout: 60_000 }).toEqual([])
  expect(eyes.errors.filter((line) => !line.includes('409 (Conflict)'))).toEqual([])
})
