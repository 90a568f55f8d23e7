import { expect, test } from 'vitest'
import { silentLog } from '#kit/log'
import { createTrashRounds } from './trash-rounds.ts'

const minute = 60_000
const day = 24 * 60 * minute

/** Rounds a minute apart over so many projects; which of them were asked in each. */
function rounds(count: number) {
  const asked: string[] = []
  let time = 0
  const projects = Array.from({ length: count }, (_, at) => ({ id: String(at + 1), ref: `p${at}` }))
  const round = createTrashRounds({
    store: {
      runningAfter: async (id, limit) =>
        projects.filter((one) => Number(one.id) > Number(id)).slice(0, limit),
    },
    purge: async (ref) => {
      asked.push(ref)
      if (ref.endsWith('3')) throw new Error('It does not answer')
      return 0
    },
    now: () => new Date(time),
    log: silentLog,
  })
  return {
    projects,
    async after(wait: number): Promise<string[]> {
      time += wait
      await round()
      return asked.splice(0)
    },
  }
}

test('projects are asked a few a minute, each once a day, whether others answer or not', async () => {
  const { projects, after } = rounds(45)
  const refs = projects.map(({ ref }) => ref)
  expect(await after(minute)).toEqual([])
  expect(await after(9 * minute)).toEqual(refs.slice(0, 20))
  expect(await after(minute)).toEqual(refs.slice(20, 40))
  expect(await after(minute)).toEqual(refs.slice(40))
  expect(await after(minute)).toEqual([])
  expect(await after(day - 4 * minute)).toEqual([])
  expect(await after(minute)).toEqual(refs.slice(0, 20))
})

test('where a round takes all that there are, the next one is a day later', async () => {
  for (const count of [0, 20]) {
    const { after } = rounds(count)
    expect(await after(10 * minute)).toHaveLength(count)
    expect(await after(minute)).toEqual([])
    expect(await after(day - 2 * minute)).toEqual([])
    expect(await after(minute)).toHaveLength(count)
  }
})

test('while the list cannot be read, the day is not over', async () => {
  let isDown = true
  let [time, asked] = [0, 0]
  const round = createTrashRounds({
    store: {
      runningAfter: async () => {
        if (isDown) throw new Error('The database is away')
        return [{ id: '1', ref: 'p' }]
      },
    },
    purge: async () => (asked += 1),
    now: () => new Date(time),
    log: silentLog,
  })
  time = day
  await expect(round()).rejects.toThrow('away')
  isDown = false
  await round()
  expect(asked).toBe(1)
})
