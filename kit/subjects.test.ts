import { expect, test } from 'vitest'
import { createLog } from './log.ts'
import { createSubjects } from './subjects.ts'

function world() {
  const lines: { msg: string; subject?: string; failures?: number }[] = []
  let at = Date.parse('2030-01-01T00:00:00Z')
  let clock = 0
  const log = createLog('test', 'info', {
    // Written by the log itself.
    write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[number]),
  })
  const { each, failing } = createSubjects(
    log,
    () => at,
    () => at + clock,
  )
  const seen: string[] = []
  const bad = new Set(['b'])
  const round = (subjects = ['a', 'b', 'c'], width = 1) =>
    each(
      'looking',
      subjects,
      (one) => one,
      async (one) => {
        seen.push(one)
        if (bad.has(one)) throw new Error(`${one} is broken`)
      },
      { width },
    )
  return {
    lines,
    failing,
    seen,
    bad,
    round,
    pass: (milliseconds: number) => {
      at += milliseconds
    },
    /** Somebody sets the clock. */
    set: (milliseconds: number) => {
      clock += milliseconds
    },
    /** Who had a turn since this was asked last. */
    turns: () => seen.splice(0).join(''),
  }
}

test('one that fails holds up no other, and does not end the round', async () => {
  const { round, turns, failing } = world()
  await round()
  expect(turns()).toBe('abc')
  expect(failing()).toMatchObject([
    { round: 'looking', subject: 'b', failure: 'b is broken', failures: 1 },
  ])
  await round(['a', 'b', 'c'], 3)
  expect(turns()).toBe('ac')
})

test('it waits twice as long each time, ten minutes at most', async () => {
  const { round, turns, pass, failing } = world()
  const waits: number[] = []
  for (let failures = 1; failures <= 10; failures++) {
    await round()
    expect(turns()).toContain('b')
    const [one] = failing()
    if (!one) throw new Error('Nothing fails')
    expect(one.failures).toBe(failures)
    const before = waits.reduce((sum, wait) => sum + wait, 0)
    const wait = one.nextAt.getTime() - one.since.getTime() - before
    waits.push(wait)
    pass(wait - 1)
    await round()
    expect(turns()).toBe('ac')
    pass(1)
  }
  expect(waits.map((wait) => wait / 1000)).toEqual([5, 10, 20, 40, 80, 160, 320, 600, 600, 600])
})

test.each([3_600_000, -3_600_000])('a clock that jumps by %i ms changes no wait', async (jump) => {
  const { round, turns, pass, set } = world()
  await round()
  turns()
  set(jump)
  await round()
  expect(turns()).toBe('ac')
  pass(5000)
  await round()
  expect(turns()).toBe('abc')
})

test('the log has few lines of it, and the end', async () => {
  const { round, pass, lines, bad, failing } = world()
  for (let failures = 1; failures <= 9; failures++) {
    await round()
    pass(600_000)
  }
  expect(lines.map(({ subject, failures }) => [subject, failures])).toEqual(
    [1, 2, 4, 8].map((failures) => ['b', failures]),
  )
  bad.clear()
  await round()
  expect(lines.at(-1)).toMatchObject({ msg: 'a round succeeds again', subject: 'b' })
  expect(failing()).toEqual([])
})

test('what is no subject any more is not told of', async () => {
  const { round, failing } = world()
  await round()
  expect(failing()).toHaveLength(1)
  await round(['a'])
  expect(failing()).toEqual([])
})
