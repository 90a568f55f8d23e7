import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from './postgres/client.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createJobs, type Job, type Jobs } from './jobs.ts'
import { silentLog } from './log.ts'
import { createEmptyDatabase, type TestDatabase } from './testing/postgres.ts'

let database: TestDatabase
let pool: Pool
let jobs: Jobs
const accepted = new Map<string, Job>()
const finished = new Map<string, string | undefined>()
let seen: string[] = []
let failures = 0
/** Started by a step. */
let another: Job | undefined

beforeAll(async () => {
  database = await createEmptyDatabase()
  pool = new Pool(database.adminConfig)
  pool.on('error', () => undefined)
  jobs = await createJobs({
    pool,
    log: silentLog,
    outbox: {
      unfinished: async () => [...accepted.values()].filter(({ id }) => !finished.has(id)),
      finish: async (id, failure) => void finished.set(id, failure),
    },
    handlers: {
      plain: async (job, step) => {
        const first = await step('first', async () => {
          seen.push(`first of ${job.subject}`)
          return 20
        })
        await step('second', async () => void seen.push(`second after ${first}`))
      },
      starter: async (_job, step) => {
        await step('start another', async () => {
          seen.push('start another')
          another = accept('plain')
          await jobs.start(another)
        })
      },
      flaky: async (_job, step) => {
        await step(
          'try',
          async () => {
            seen.push('try')
            if (seen.length <= failures) throw new Error('not yet')
          },
          { attempts: 3, seconds: 0.01 },
        )
      },
    },
  })
})
afterAll(async () => {
  await jobs.close()
  await pool.end()
  await database.drop()
})
beforeEach(() => {
  seen = []
  failures = 0
})

const accept = (name: string): Job => {
  const job = { id: randomUUID(), name, subject: 'books' }
  accepted.set(job.id, job)
  return job
}
const ends = (job: Job) => expect.poll(() => finished.has(job.id)).toBe(true)

test('a job runs its steps in order and is finished', async () => {
  const job = accept('plain')
  await jobs.start(job)
  await ends(job)
  expect(seen).toEqual(['first of books', 'second after 20'])
  expect(finished.get(job.id)).toBeUndefined()
})

test('started twice, or recovered while it runs, it runs once', async () => {
  const job = accept('plain')
  await Promise.all([jobs.start(job), jobs.start(job), jobs.recover()])
  await ends(job)
  await jobs.start(job)
  expect(seen).toHaveLength(2)
})

test('a step of a job starts another job, with its first attempt', async () => {
  const job = accept('starter')
  await jobs.start(job)
  await ends(job)
  expect(finished.get(job.id)).toBeUndefined()
  if (another) await ends(another)
  expect(seen).toEqual(['start another', 'first of books', 'second after 20'])
})

test('what was accepted and never started is found by recovery', async () => {
  const job = accept('plain')
  expect(await jobs.recover()).toBe(1)
  await ends(job)
  expect(await jobs.recover()).toBe(0)
})

test('a step is tried again as often as it may, then the job has failed with a reason', async () => {
  failures = 2
  const lucky = accept('flaky')
  await jobs.start(lucky)
  await ends(lucky)
  expect(seen).toEqual(['try', 'try', 'try'])
  expect(finished.get(lucky.id)).toBeUndefined()

  seen = []
  failures = 9
  const unlucky = accept('flaky')
  await jobs.start(unlucky)
  await ends(unlucky)
  expect(seen).toHaveLength(3)
  expect(finished.get(unlucky.id)).toContain('not yet')
})

test('a job that nobody knows has failed, and says so', async () => {
  const job = accept('unknown')
  await jobs.start(job)
  await expect.poll(() => finished.get(job.id)).toContain('No handler')
})

test('with nothing to do the database is left alone, but for schedules in the first minute', async () => {
  let asked = 0
  const count = () => void (asked += 1)
  pool.on('acquire', count)
  const askedMeanwhile = async () => {
    const before = asked
    // Schedules are asked for once a second, which is all that may be asked in this time.
    await delay(2500)
    return asked - before
  }
  await expect.poll(askedMeanwhile).toBeLessThan(4)
  pool.off('acquire', count)
})

test('scheduled work goes on after a failure and is never run twice at once', async () => {
  let running = 0
  let max = 0
  let rounds = 0
  jobs.every(0.01, 'test', async () => {
    max = Math.max(max, (running += 1))
    rounds += 1
    await new Promise((resolve) => setImmediate(resolve))
    running -= 1
    if (rounds === 2) throw new Error('once')
    return true
  })
  await expect.poll(() => rounds).toBeGreaterThan(5)
  expect(max).toBe(1)
})

test('schedules begin a few at a time, and rounds that take long hold no others up', async () => {
  let running = 0
  let max = 0
  const begun: number[] = []
  let release: (value: boolean) => void = () => undefined
  const released = new Promise<boolean>((resolve) => (release = resolve))
  const schedule = (number: number, body: () => Promise<boolean>) =>
    jobs.every(600, `beginning ${number}`, async () => {
      begun.push(number)
      max = Math.max(max, (running += 1))
      await body()
      running -= 1
      return true
    })
  for (let i = 0; i < 20; i += 1) schedule(i, () => delay(5, true))
  await expect.poll(() => begun.length).toBe(20)
  expect(max).toBe(4)
  expect(begun).toEqual([...begun].sort((a, b) => a - b))
  for (let i = 20; i < 25; i += 1) schedule(i, () => released)
  expect(begun).not.toContain(24)
  await expect.poll(() => begun).toContain(24)
  release(true)
})

test('closing waits for a round that runs, the first one too', async () => {
  let ended = false
  jobs.every(60, 'slow', async () => {
    await new Promise((resolve) => setTimeout(resolve, 300))
    ended = true
    return true
  })
  await jobs.close()
  expect(ended).toBe(true)
})
