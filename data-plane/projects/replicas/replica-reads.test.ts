import { expect, test } from 'vitest'
import type { Transaction } from '../transaction.ts'
import type { Replica } from './replica.ts'
import { createReplicaReads, type ReplicaPlace } from './replica-reads.ts'

const transaction: Transaction = { statements: [] }
const place = (identifier: string, port = 5432): ReplicaPlace => ({ identifier, host: '/x', port })

class Coded extends Error {
  readonly code: string
  constructor(code: string) {
    super(`It failed with ${code}`)
    this.code = code
  }
}

/** Replicas that say what they are told to say, beside a primary that has written up to `written`. */
function world(maxLagMs = 1000) {
  const state = { now: 0, written: 100n, places: [place('aaaaa')], looks: 0 }
  const fakes = new Map<string, { at: bigint; fails: Error | undefined; busy: number }>()
  const fakeOf = (id: string) => {
    const found = fakes.get(id) ?? { at: 100n, fails: undefined, busy: 0 }
    fakes.set(id, found)
    return found
  }
  const asked: string[] = []
  const closed: string[] = []
  const told: string[] = []
  const open = ({ identifier, port }: ReplicaPlace): Replica => ({
    async run() {
      asked.push(identifier)
      const { fails } = fakeOf(identifier)
      if (fails) throw fails
      return [[[`${identifier}:${port}`]]]
    },
    async position() {
      const { fails, at } = fakeOf(identifier)
      if (fails && 'code' in fails && fails.code === 'ECONNREFUSED') throw fails
      return at
    },
    get busy() {
      return fakeOf(identifier).busy
    },
    resize: () => undefined,
    trim: () => undefined,
    close: async () => void closed.push(identifier),
  })
  const reads = createReplicaReads({
    places: () => state.places,
    open,
    written: async () => {
      state.looks++
      return state.written
    },
    maxLagMs,
    drainMs: 0,
    onError: (error) => told.push(String(error)),
    now: () => state.now,
  })
  const read = async () => (await reads.read('anon', transaction))?.identifier
  return { state, fakeOf, asked, closed, told, reads, read }
}

test('without replicas nobody is asked, not even the primary', async () => {
  const { state, read } = world()
  state.places = []
  expect(await read()).toBe(undefined)
  expect(state.looks).toBe(0)
})

test('one that has everything answers, and is not looked at again for each read', async () => {
  const { state, read } = world()
  for (let i = 0; i < 10; i++) expect(await read()).toBe('aaaaa')
  expect(state.looks).toBe(1)
})

test('one that is further behind than is allowed is not asked, and is again when it has caught up', async () => {
  const { state, fakeOf, asked, read } = world()
  expect(await read()).toBe('aaaaa')
  state.written = 200n
  state.now = 900
  expect(await read(), 'it may lack what is younger than 900 ms').toBe('aaaaa')
  state.now = 1100
  expect(await read()).toBe(undefined)
  expect(asked).toHaveLength(2)
  fakeOf('aaaaa').at = 200n
  expect(await read(), 'it is not looked at so soon again').toBe(undefined)
  state.now = 1400
  expect(await read()).toBe('aaaaa')
})

test('where nobody can say what was written, a replica is asked until it may be too old', async () => {
  const { state, read } = world()
  expect(await read()).toBe('aaaaa')
  Object.defineProperty(state, 'written', {
    get: () => {
      throw new Coded('ECONNREFUSED')
    },
  })
  state.now = 900
  expect(await read()).toBe('aaaaa')
  state.now = 1100
  expect(await read()).toBe(undefined)
})

test.each(['40001', '42P01', '25006', '57P01', 'ECONNRESET'])(
  'what a replica refuses with %s is left to the primary',
  async (code) => {
    const { fakeOf, read } = world()
    fakeOf('aaaaa').fails = new Coded(code)
    expect(await read()).toBe(undefined)
  },
)

test('a statement that took too long is not tried once more elsewhere', async () => {
  const { fakeOf, read } = world()
  fakeOf('aaaaa').fails = new Coded('57014')
  await expect(read()).rejects.toThrow('57014')
})

test('one that is away is left alone until it answers again', async () => {
  const { state, fakeOf, asked, read } = world()
  expect(await read()).toBe('aaaaa')
  fakeOf('aaaaa').fails = new Coded('ECONNREFUSED')
  expect(await read()).toBe(undefined)
  expect(await read()).toBe(undefined)
  expect(asked).toHaveLength(2)
  fakeOf('aaaaa').fails = undefined
  state.now = 300
  expect(await read()).toBe('aaaaa')
})

test('the one with the least to do is asked', async () => {
  const { state, fakeOf, read } = world()
  state.places = [place('aaaaa'), place('bbbbb')]
  fakeOf('aaaaa').busy = 2
  expect(await read()).toBe('bbbbb')
  fakeOf('bbbbb').busy = 3
  expect(await read()).toBe('aaaaa')
})

test('one that is gone or has moved is closed', async () => {
  const { state, closed, reads, read } = world()
  expect(await read()).toBe('aaaaa')
  state.places = [place('aaaaa', 5433)]
  state.now = 300
  expect((await reads.read('anon', transaction))?.rows).toEqual([[['aaaaa:5433']]])
  expect(closed).toEqual(['aaaaa'])
  state.places = []
  expect(await read()).toBe(undefined)
  expect(closed).toEqual(['aaaaa', 'aaaaa'])
})
