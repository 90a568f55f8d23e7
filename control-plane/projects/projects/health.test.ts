import { expect, test } from 'vitest'
import { silentLog } from '#kit/log'
import { createSubjects } from '#kit/subjects'
import { createHealth } from './health.ts'
import type { ProjectRow } from './store.ts'

/** One project, whose server does as `server` says. */
function world() {
  const server = { state: 'running' as 'running' | 'stopped' | 'absent', answers: true }
  const row = { ref: 'books', status: 'ACTIVE_HEALTHY' } as ProjectRow
  const done: string[] = []
  let time = 0
  const address = { socketDir: '/nowhere', port: 1 }
  const start = (what: string) => async () => {
    done.push(what)
    Object.assign(server, { state: 'running', answers: true })
    return address
  }
  const health = createHealth({
    store: {
      find: async () => row,
      withStatus: async () => [row],
      setAddress: async () => undefined,
      transition: async (_tx, _ref, _from, to) => Object.assign(row, { status: to }),
    },
    compute: {
      inspect: async () =>
        server.state === 'running' ? { state: 'running', address } : { state: server.state },
      probe: async () => {
        done.push('probe')
        return server.answers
      },
      start: start('start'),
      restart: start('restart'),
    },
    each: createSubjects(silentLog).each,
    log: silentLog,
    now: () => time,
  })
  /** What was done in so many rounds, five seconds apart. */
  async function rounds(count: number): Promise<string[]> {
    done.length = 0
    for (let round = 0; round < count; round += 1) {
      await health.checkAll()
      time += 5000
    }
    return [...done]
  }
  return { server, row, rounds }
}

test('a server that answered is asked again after half a minute', async () => {
  const { rounds } = world()
  expect(await rounds(6)).toEqual(['probe'])
  expect(await rounds(12)).toEqual(['probe', 'probe'])
})

test('one that does not answer is asked each time, and restarted after three times', async () => {
  const { server, row, rounds } = world()
  await rounds(1)
  server.answers = false
  expect(await rounds(5)).toEqual([])
  expect(await rounds(2)).toEqual(['probe', 'probe'])
  expect(row.status).toBe('ACTIVE_HEALTHY')
  expect(await rounds(1)).toEqual(['probe', 'restart'])
  expect(row.status).toBe('ACTIVE_HEALTHY')
})

test('one that ended is started at once, and asked whether it answers', async () => {
  const { server, rounds } = world()
  await rounds(1)
  server.state = 'stopped'
  expect(await rounds(2)).toEqual(['start', 'probe'])
})

test('one that is gone is told of, not started, and well again when it is back', async () => {
  const { server, row, rounds } = world()
  await rounds(1)
  server.state = 'absent'
  expect(await rounds(3)).toEqual([])
  expect(row.status).toBe('ACTIVE_UNHEALTHY')
  server.state = 'running'
  expect(await rounds(1)).toEqual(['probe'])
  expect(row.status).toBe('ACTIVE_HEALTHY')
})
