import { boundsOfCell, cellLimit, cellsFor, projectsWithin, type Cells } from './model.ts'
import { cost } from './measured.ts'
import type { Workload } from './workload.ts'

/** The tables of docs/scale.md, in its Markdown: what a person reads there is what the model says. */
export const sizes = [100, 10_000, 1_000_000] as const

const digits = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 })
/** As it was written down. */
const exact = new Intl.NumberFormat('en-US', { maximumFractionDigits: 4 })
const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
/** A calculation knows two or three digits and no more. */
const rough = (value: number) => digits.format(value)

const gigabytesOf = (megabytes: number) =>
  megabytes < 1024 ** 2 ? `${rough(megabytes / 1024)} GB` : `${rough(megabytes / 1024 ** 2)} TB`
const bytes = (value: number) =>
  value < 1e12 ? `${rough(value / 1e9)} GB` : `${rough(value / 1e12)} TB`

type Line = [what: string, value: (cells: Cells) => string]
const lines: readonly Line[] = [
  ['cells, each with one machine for servers', ({ cells }) => whole.format(cells)],
  ['projects of the largest cell', ({ perCell }) => whole.format(perCell)],
  ['servers that run', ({ total }) => rough(total.running)],
  ['of these, busy', ({ total }) => rough(total.busy)],
  ['memory', ({ total }) => gigabytesOf(total.memoryMb)],
  ['processor seconds in a second', ({ total }) => rough(total.cores)],
  ['processes', ({ total }) => rough(total.processes)],
  ['connections to servers of projects', ({ total }) => rough(total.databaseConnections)],
  ['clients of poolers', ({ total }) => rough(total.poolerClients)],
  ['sockets of realtime', ({ total }) => rough(total.sockets)],
  ['messages of realtime delivered in a second', ({ total }) => rough(total.deliveries)],
  [
    'transactions of platform databases in a second',
    ({ total }) => rough(total.platformTransactions),
  ],
  ['write-ahead log of platform databases in a day', ({ total }) => bytes(total.platformWalBytes)],
  ['write-ahead log of projects in a day', ({ total }) => bytes(total.projectWalBytes)],
  ['stored objects of projects', ({ total }) => rough(total.storedObjects)],
  ['backups kept', ({ total }) => rough(total.backups)],
  ['archived files of write-ahead log kept', ({ total }) => rough(total.archivedFiles)],
  ['files of servers on disks', ({ total }) => rough(total.serverFiles)],
  ['disk of servers while they are empty', ({ total }) => bytes(total.emptyServerBytes)],
]

const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const percent = (share: number) => `${rough(share * 100)}%`
/** What a workload says, in words. A name that the workload gets has to have some here. */
const assumptions: {
  [Name in keyof Workload]: [what: string, value: (value: Workload[Name]) => string]
} = {
  runningShare: ['projects whose server runs; the others are paused', percent],
  busyShare: ['of these, busy at the busiest hour', percent],
  paidShare: ['projects on a paid plan; they are not paused, and have a backup each day', percent],
  recoveryShare: ['busy projects with point in time recovery', percent],
  requestsPerSecond: ['requests of a busy project in a second', rough],
  insertShare: ['of these, inserts; the others read a row by its key', percent],
  walBytesPerInsert: ['write-ahead log of an insert', (value) => `${rough(value)} bytes`],
  busyHours: ['hours of a day in which a busy project is busy', rough],
  connectionsPerBusyProject: ['connections to the server of a busy project', rough],
  megabytesPerConnection: ['memory of a connection', (value) => `${rough(value)} MB`],
  megabytesOfRows: ['rows of a busy project in memory', (value) => `${rough(value)} MB`],
  poolerClients: ['clients of the pooler of a busy project', rough],
  sockets: ['sockets of realtime of a busy project', rough],
  messagesPerSecond: ['messages on them in a second', rough],
  subscribers: ['sockets that each message goes to', rough],
  changesPerDay: ['changes to the row of a project in a day', rough],
  storedObjects: ['objects that a project has stored', rough],
  secondsPerBackup: ['a backup with its drill', (value) => `${rough(value)} s`],
  daysKept: ['days for which backups and archives are kept', rough],
  machine: [
    'the machine of a cell',
    ({ cores, memoryMb, openFiles }) =>
      `${cores} cores, ${gigabytesOf(memoryMb)}, ${whole.format(openFiles)} open files of a program`,
  ],
  plannedShare: ['of the machine, and of one thread, what is planned', percent],
}

/** What is assumed and not measured. */
export function workloadTable(work: Workload): string {
  const row = <Name extends keyof Workload>(name: Name) => {
    const [what, value] = assumptions[name]
    return [what, value(work[name])]
  }
  return table(
    ['assumed', 'value'],
    (Object.keys(assumptions) as (keyof Workload)[]).map((name) => row(name)),
  )
}

/** What all of the three sizes use. */
export function sizesTable(work: Workload): string {
  const all = sizes.map((projects) => cellsFor(projects, work))
  return table(
    ['projects', ...sizes.map((size) => whole.format(size))],
    lines.map(([what, value]) => [what, ...all.map(value)]),
  )
}

/** Where a cell bends, the earliest first. */
export function boundTable(work: Workload): string {
  const bounds = boundsOfCell(work)
    .map((bound) => ({ ...bound, at: projectsWithin(bound) }))
    .toSorted((one, other) => one.at - other.at)
  return table(
    ['beyond so many projects', 'a cell has no more', 'and then', 'limits the cell'],
    bounds.map(({ at, what, beyond, isHard }) => [rough(at), what, beyond, isHard ? 'yes' : 'no']),
  )
}

/** What was measured, with where and when. */
export const costTable = (): string =>
  table(
    ['figure', 'of what', 'from', 'day'],
    Object.values(cost).map(({ value, unit, what, from, day }) => [
      `${exact.format(value)} ${unit}`,
      what,
      from,
      day,
    ]),
  )

/** The size of a cell, in one line. */
export function limitLine(work: Workload): string {
  const { projects, bound } = cellLimit(work)
  return `With this workload a cell has at most ${whole.format(projects)} projects. What ends first: ${bound.what}.`
}
