import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { preparePostgres } from '#kit/postgres/runtime'
import { findRunning } from '#kit/postgres/server'
import { join } from 'node:path'
import { createOrganization, createProject, reaches, runSql, signUp } from '../testing/client.ts'
import { until } from '../testing/processes.ts'
import { ownPlatform } from '../testing/shared-platform.ts'
import { wrongsOf } from '../testing/world.ts'

test("the platform's database is killed: projects are served all the while, and both planes are back in 5 seconds", async () => {
  const platform = await ownPlatform()
  const ada = await signUp(platform.url, 'ada@example.com')
  const slug = await createOrganization(ada, 'Acme')
  const { ref, endpoint, anonKey } = await createProject(ada, slug, 'Books')
  await reaches(ada, ref, ['ACTIVE_HEALTHY'])
  await runSql(ada, ref, 'create table book (title text); grant select on book to anon')
  const readBooks = async () => {
    const answer = await fetch(`${endpoint}/rest/v1/book`, { headers: { apikey: anonKey } })
    return `${answer.status} ${await answer.text()}`
  }
  await expect.poll(readBooks).toBe('200 []')

  const { clusters } = await preparePostgres(platform.home)
  const dataDir = join(clusters, 'platform/data')
  const killed = (await findRunning(dataDir))?.pid ?? 0
  expect(killed).toBeGreaterThan(0)
  process.kill(killed, 'SIGKILL')
  const since = Date.now()

  let isBack = false
  const answers = new Set<string>()
  const statuses = new Set<number>()
  const asking = (async () => {
    while (!isBack) {
      answers.add(await readBooks())
      await delay(10)
    }
  })()
  await until('the control plane answers from its database again', async () => {
    const server = await findRunning(dataDir)
    if (!server?.ready || server.pid === killed) return false
    const { status } = await ada.call('GET', `/platform/projects/${ref}`)
    statuses.add(status)
    return status === 200
  })
  const took = Date.now() - since
  const second = await createProject(ada, slug, 'More')
  await reaches(ada, second.ref, ['ACTIVE_HEALTHY'])
  isBack = true
  await asking
  expect(took).toBeLessThan(5000)
  expect([...answers]).toEqual(['200 []'])
  // Meanwhile whoever asks the control plane is told to ask again.
  expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([])
  // News of changes come through as before: what is paused is not served any more.
  await ada.call('POST', `/platform/projects/${ref}/pause`)
  await expect.poll(readBooks).not.toMatch(/^200/)
  await reaches(ada, ref, ['INACTIVE'])

  const said = platform.output().split('\n')
  expect(said.filter((line) => line.includes("the platform's database"))).toEqual([
    "plinth: the platform's database ended and is started again",
  ])
  const words = said.map((line) => line.replaceAll(/"time":\d+|\d{4,}/g, ''))
  const repeats = words.map((line) => words.filter((other) => other === line).length)
  expect(Math.max(...repeats)).toBeLessThanOrEqual(10)
  await expect.poll(() => wrongsOf(platform), { timeout: 60_000 }).toEqual([])
})
