import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { preparePostgres } from '#kit/postgres/runtime'
import { openPage } from '../testing/browser.ts'
import { createOrganization, createProject, reaches, runSql, signUp } from '../testing/client.ts'
import { atEnd } from '../testing/ends.ts'
import { newHome, startPlatform } from '../testing/platform.ts'

/** What a version that wants something of its own there meets: a customer has the rights of the schema's owner. */
const inTheWay =
  'alter table storage.trash rename to mine; create view storage.trash as select 1 as id'
const mended = `alter view storage.trash rename to theirs; drop view storage.theirs;
  alter table storage.mine rename to trash`

test('a project that cannot be upgraded answers, says so on its page, and is upgraded once it can be; others are upgraded', async () => {
  const home = await newHome()
  const first = await startPlatform({ home })
  const { ports } = first
  const ada = await signUp(first.url, 'ada@example.com')
  const slug = await createOrganization(ada, 'Acme')
  const [books, other] = [
    await createProject(ada, slug, 'Books'),
    await createProject(ada, slug, 'Other'),
  ]
  for (const { ref } of [books, other]) await reaches(ada, ref, ['ACTIVE_HEALTHY'])
  const setUp = "create table book (title text); insert into book values ('Dune');"
  await runSql(ada, books.ref, `${setUp} grant select on book to service_role`)
  await runSql(ada, books.ref, inTheWay)
  await first.stop()

  // Made by a version whose name for what they have is another one.
  const { clusters } = await preparePostgres(home)
  for (const { ref } of [books, other]) {
    const file = join(clusters, 'projects', ref, 'project.json')
    const { upgrade: _, ...record } = JSON.parse(await readFile(file, 'utf8')) as {
      upgrade?: string
    }
    await writeFile(file, JSON.stringify(record))
  }

  const platform = await startPlatform({ home, ports })
  atEnd(() => platform.dispose())
  const patient = { timeout: 60_000, interval: 250 }
  const failureOf = async (ref: string) =>
    (await ada.call('GET', `/platform/projects/${ref}`)).body['upgrade_failure']
  await expect
    .poll(() => failureOf(books.ref), patient)
    .toMatchObject({
      reason: expect.stringMatching(/^009-storage-1-tables\.sql could not be applied: .* trash$/),
    })
  const titles = async () => {
    const { serviceKey: apikey } = books
    const answer = await fetch(`${books.endpoint}/rest/v1/book?select=title`, {
      headers: { apikey, authorization: `Bearer ${apikey}` },
    })
    return answer.json()
  }
  await expect.poll(titles, patient).toEqual([{ title: 'Dune' }])
  await expect.poll(() => runSql(ada, other.ref, 'select 1 as one'), patient).toEqual([{ one: 1 }])
  expect(await failureOf(other.ref)).toBeNull()

  const { page, eyes } = await openPage(platform, { as: ada })
  await page.goto(`${platform.url}/project/${books.ref}`)
  const note = page.getByText('The last upgrade of this project failed')
  await note.waitFor()
  await page.getByText('is tried again each time the project restarts').waitFor()
  await eyes.look('a project that could not be upgraded')

  await runSql(ada, books.ref, mended)
  await ada.call('POST', `/platform/projects/${books.ref}/restart`)
  await reaches(ada, books.ref, ['ACTIVE_HEALTHY'])
  await expect.poll(() => failureOf(books.ref), patient).toBeNull()
  await page.reload()
  await page.getByRole('heading', { name: 'Books' }).waitFor()
  expect(await note.count()).toBe(0)
})
