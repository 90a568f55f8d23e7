import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { rounds } from '#kit/testing/rounds'
import { createOrganization, createProject, reaches, signUp } from '../testing/client.ts'
import type { Person, Project } from '../testing/client.ts'
import type { Platform } from '../testing/platform.ts'
import { ownPlatform } from '../testing/shared-platform.ts'
import { childOf, until } from '../testing/processes.ts'

/** How often a process is killed: once each, or 20 times. */
const kills = rounds(2, 40)

let platform: Platform
let ada: Person
let project: Project
let own: string

beforeAll(async () => {
  platform = await ownPlatform()
  ada = await signUp(platform.url, 'ada@example.com')
  project = await createProject(ada, await createOrganization(ada, 'Acme'), 'Shop')
  await reaches(ada, project.ref, ['ACTIVE_HEALTHY'])
  own = `/platform/projects/${project.ref}/functions/twice/versions`
})

/** Two files that say the same number: a version of which only a part is there says two, or none. */
const filesOf = (n: number) => [
  {
    path: 'index.ts',
    content: `import { n } from './part.ts'\nDeno.serve(() => new Response('${n} ' + n))`,
  },
  { path: 'ballast.txt', content: 'x'.repeat(500_000) },
  { path: 'part.ts', content: `export const n = ${n}` },
]
const numbersIn = (text: string) => text.match(/\d+/g)?.map(Number) ?? []

/** The version that was made; undefined: nobody knows whether one was. */
async function deploy(n: number): Promise<number | undefined> {
  const body = { files: filesOf(n), verify_jwt: false }
  const answer = await ada.call('POST', own, body).catch(() => undefined)
  return answer?.status === 201 ? Number(answer.body['version']) : undefined
}
/** What the function answers; undefined: nothing, or that it cannot now. */
async function call(): Promise<number[] | undefined> {
  const answer = await fetch(`${project.endpoint}/functions/v1/twice`).catch(() => undefined)
  const text = await answer?.text().catch(() => undefined)
  return answer?.ok && text !== undefined ? numbersIn(text) : undefined
}
const isOne = (numbers: readonly number[]) => numbers.length === 2 && numbers[0] === numbers[1]

async function pidOf(plane: string): Promise<number> {
  let pid: number | undefined
  await until(`${plane} runs`, () => {
    pid = childOf(platform.process.pid ?? 0, `${plane}.js`)
    return pid !== undefined
  })
  return pid ?? 0
}

test(
  `${kills} kills in the middle of deployments: what was acknowledged is there, and every version is whole`,
  async () => {
    const made = new Map<number, number>()
    let last = 0
    const deployNext = async () => {
      const n = (last += 1)
      const version = await deploy(n)
      if (version !== undefined) made.set(version, n)
      return version
    }
    expect(await deployNext()).toBe(1)
    for (let round = 0; round < kills; round++) {
      const plane = round % 2 === 0 ? 'control-plane' : 'data-plane'
      const pid = await pidOf(plane)
      const before = made.size
      let goesOn = true
      const broken: number[][] = []
      const deploying = (async () => {
        while (goesOn) await deployNext()
      })()
      const calling = (async () => {
        while (goesOn) {
          const numbers = await call()
          if (numbers && !isOne(numbers)) broken.push(numbers)
        }
      })()
      await until('a deployment is acknowledged', () => made.size > before)
      await delay(randomInt(0, 150))
      process.kill(pid, 'SIGKILL')
      goesOn = false
      await Promise.all([deploying, calling])
      expect(broken).toEqual([])

      const newest = Math.max(...made.values())
      await until(
        'the newest version answers',
        async () => {
          const numbers = await call()
          if (numbers) expect(numbers).toSatisfy(isOne)
          // One that nobody acknowledged may have come behind it.
          return (numbers?.[0] ?? 0) >= newest
        },
        60_000,
      )
      await until(
        'versions can be listed',
        async () => (await ada.call('GET', own).catch(() => undefined))?.status === 200,
        60_000,
      )
    }
    const { body } = await ada.call('GET', own)
    const versions = body as unknown as { version: number; active: boolean }[]
    // Numbers without gaps, the newest first: nothing was lost and nothing came twice.
    expect(versions.map(({ version }) => version)).toEqual(
      versions.map((_, index) => versions.length - index),
    )
    expect(versions.filter(({ active }) => active)).toHaveLength(1)
    expect(versions.length).toBeGreaterThanOrEqual(made.size)
    for (const { version } of versions) {
      const shown = await ada.call('GET', `${own}/${version}`)
      const files = shown.body['files'] as { path: string; content: string }[]
      const [n = -1] = numbersIn(files.find(({ path }) => path === 'part.ts')?.content ?? '')
      const expected = filesOf(n).sort((a, b) => (a.path < b.path ? -1 : 1))
      expect(files.map(({ path, content }) => ({ path, content }))).toEqual(expected)
      expect(n).toBe(made.get(version) ?? n)
    }
    // Goes on as before.
    const version = await deployNext()
    expect(version).toBe(versions.length + 1)
    await expect.poll(call).toEqual([last, last])
  },
  60_000 + kills * 60_000,
)
