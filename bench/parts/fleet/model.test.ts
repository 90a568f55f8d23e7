import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { root } from '#kit/root'
import { cost } from './measured.ts'
import { boundsOfCell, cellLimit, cellsFor, projectsWithin, useOfCell, type Use } from './model.ts'
import { boundTable, costTable, limitLine, sizesTable, workloadTable } from './page.ts'
import { usualWorkload, type Workload } from './workload.ts'

const share = fc.double({ min: 0, max: 1, noNaN: true })
const amount = (max: number) => fc.double({ min: 0, max, noNaN: true })
const workloads: fc.Arbitrary<Workload> = fc.record({
  runningShare: share,
  busyShare: share,
  paidShare: share,
  recoveryShare: share,
  requestsPerSecond: amount(100),
  insertShare: share,
  walBytesPerInsert: amount(10_000),
  busyHours: amount(24),
  connectionsPerBusyProject: amount(100),
  megabytesPerConnection: amount(50),
  megabytesOfRows: amount(500),
  poolerClients: amount(200),
  sockets: amount(1000),
  messagesPerSecond: amount(20),
  subscribers: amount(1000),
  changesPerDay: amount(100),
  storedObjects: amount(100_000),
  secondsPerBackup: amount(3600),
  daysKept: amount(28),
  machine: fc.record({
    cores: fc.integer({ min: 2, max: 256 }),
    memoryMb: fc.integer({ min: 4096, max: 4_000_000 }),
    openFiles: fc.integer({ min: 1024, max: 1_000_000 }),
  }),
  plannedShare: fc.double({ min: 0.1, max: 1, noNaN: true }),
})
const counts = fc.integer({ min: 0, max: 2_000_000 })
const names = Object.keys(useOfCell(0, usualWorkload)) as (keyof Use)[]

describe('a cell', () => {
  test('without a project costs the base, and nothing that projects cause', () => {
    const base = useOfCell(0, usualWorkload)
    expect(base.memoryMb).toBe(cost.baseMb.value)
    expect(base.processes).toBe(cost.baseProcesses.value)
    expect(base.cores).toBeCloseTo((cost.roundsBase.value + cost.restBase.value) / 1000, 10)
    expect(base.platformTransactions).toBe(cost.transactionsBase.value)
    expect(base.projectWalBytes + base.storedObjects + base.sockets + base.backups).toBe(0)
  })

  test('a hundred projects at rest are a hundred times one, above the base', () => {
    const resting = { ...usualWorkload, runningShare: 1, busyShare: 0 }
    const { memoryMb, processes } = useOfCell(100, resting)
    expect(memoryMb).toBe(cost.baseMb.value + 100 * cost.projectMb.value)
    expect(processes).toBe(cost.baseProcesses.value + 100 * cost.projectProcesses.value)
  })

  test('is as large as all of its hard bounds allow, whatever the workload, and no larger', () => {
    fc.assert(
      fc.property(workloads, (work) => {
        const { projects, bound } = cellLimit(work)
        const hard = boundsOfCell(work).filter(({ isHard }) => isHard)
        // Where not even one fits, a cell of one is what there is.
        fc.pre(hard.every(({ load, capacity }) => load(1) <= capacity))
        for (const { load, capacity } of hard) expect(load(projects)).toBeLessThanOrEqual(capacity)
        expect(bound.load(projects + 1)).toBeGreaterThan(bound.capacity)
      }),
    )
  })

  test('every load grows with projects', () => {
    fc.assert(
      fc.property(workloads, counts, counts, (work, some, more) => {
        for (const { load } of boundsOfCell(work))
          expect(load(some + more)).toBeGreaterThanOrEqual(load(some))
      }),
    )
  })
})

describe('many cells', () => {
  test('no cell of it is above the limit, and all projects are in one', () => {
    fc.assert(
      fc.property(counts, fc.integer({ min: 1, max: 100_000 }), (projects, limit) => {
        const { cells, perCell, total } = cellsFor(projects, usualWorkload, limit)
        expect(perCell).toBeLessThanOrEqual(limit)
        expect(cells * perCell).toBeGreaterThanOrEqual(projects)
        expect(total.running).toBeCloseTo(projects * usualWorkload.runningShare, 3)
      }),
    )
  })

  test('more projects never cost less', () => {
    fc.assert(
      fc.property(workloads, counts, counts, (work, some, more) => {
        const limit = 1000
        const [small, large] = [cellsFor(some, work, limit), cellsFor(some + more, work, limit)]
        expect(large.cells).toBeGreaterThanOrEqual(small.cells)
        for (const name of names)
          // Sums of numbers that are not whole differ in their last digits.
          expect(large.total[name] * (1 + 1e-9)).toBeGreaterThanOrEqual(small.total[name])
      }),
    )
  })

  test('without a project it is one cell', () => {
    const { cells, perCell, total } = cellsFor(0, usualWorkload)
    expect([cells, perCell]).toEqual([1, 0])
    expect(total).toEqual(useOfCell(0, usualWorkload))
  })

  test('the smallest bound decides, and another one does when it is widened', () => {
    const { projects, bound } = cellLimit({ ...usualWorkload, secondsPerBackup: 3600 })
    expect(bound.what).toContain('backups')
    const quick = cellLimit({ ...usualWorkload, secondsPerBackup: 1 })
    expect(quick.bound.what).not.toContain('backups')
    expect(quick.projects).toBeGreaterThan(projects)
  })

  test('what fits is found to the project', () => {
    expect(projectsWithin({ load: (projects) => projects * 3, capacity: 3000 })).toBe(1000)
    expect(projectsWithin({ load: (projects) => 1 + projects, capacity: 0 })).toBe(0)
  })
})

test.each([
  ['what they use', sizesTable(usualWorkload)],
  ['what is assumed', workloadTable(usualWorkload)],
  ['the size of a cell', limitLine(usualWorkload)],
  ['where a cell bends', boundTable(usualWorkload)],
  ['what was measured', costTable()],
])('docs/scale.md has %s as the model says it: npm run bench -- fleet-model', (_what, text) => {
  expect(readFileSync(join(root, 'docs/scale.md'), 'utf8')).toContain(text)
})
