import { cost } from './measured.ts'
import type { Workload } from './workload.ts'

/** What a cell with `projects` of them uses, or all cells together. Everything grows in proportion to projects, above a base. */
export type Use = {
  /** Projects whose server runs, and those of them that are used. */
  running: number
  busy: number
  /** Megabytes of all programs and servers. */
  memoryMb: number
  /** Processor seconds in a second, of all programs and servers, at the busiest hour. */
  cores: number
  /** Of these, what the one control plane takes that does the rounds: it is one thread, so a second has one of them. */
  roundsCores: number
  /** Processes of the machine. */
  processes: number
  /** Connections to servers of projects, clients of the pooler, sockets of realtime: all at the busiest hour. */
  databaseConnections: number
  poolerClients: number
  sockets: number
  /** Messages of realtime that reach a socket, in a second. */
  deliveries: number
  /** Bytes of write-ahead log in a day: of projects, and of the platform's own database. */
  projectWalBytes: number
  platformWalBytes: number
  /** Transactions of the platform's database in a second. */
  platformTransactions: number
  /** Objects: what projects have stored, their backups, the files of their archives. */
  storedObjects: number
  backups: number
  archivedFiles: number
  /** Files of the data directories, and the bytes of these while they are empty. */
  serverFiles: number
  emptyServerBytes: number
}

const secondsOfDay = 86_400
const [milli, micro] = [1e-3, 1e-6]

/** Bytes of write-ahead log that a project writes on a day on which it is busy. */
const walOfBusyDay = (work: Workload): number =>
  work.requestsPerSecond * work.insertShare * work.busyHours * 3600 * work.walBytesPerInsert

/** One cell: an installation that is whole by itself. Zero projects cost the base. */
export function useOfCell(projects: number, work: Workload): Use {
  const running = projects * work.runningShare
  const busy = running * work.busyShare
  const connections = busy * work.connectionsPerBusyProject
  const poolerClients = busy * work.poolerClients
  const sockets = busy * work.sockets
  const deliveries = busy * work.messagesPerSecond * work.subscribers
  const requests = busy * work.requestsPerSecond
  const requestMicros =
    work.insertShare * cost.insertMicros.value + (1 - work.insertShare) * cost.readMicros.value
  const roundsCores = (cost.roundsBase.value + running * cost.roundsPerProject.value) * milli
  const restCores = (cost.restBase.value + running * cost.restPerProject.value) * milli
  const withRecovery = busy * work.recoveryShare
  const filesOfDay = Math.max(
    (work.busyHours * 3600) / cost.archiveSeconds.value,
    walOfBusyDay(work) / cost.segmentBytes.value,
  )
  return {
    running,
    busy,
    memoryMb:
      cost.baseMb.value +
      running * cost.projectMb.value +
      busy * work.megabytesOfRows +
      connections * work.megabytesPerConnection +
      (poolerClients * cost.poolerClientKb.value + sockets * cost.socketKb.value) / 1024,
    cores:
      roundsCores +
      restCores +
      (requests * requestMicros + deliveries * cost.deliveryMicros.value) * micro,
    roundsCores,
    processes: cost.baseProcesses.value + running * cost.projectProcesses.value + connections,
    databaseConnections: connections,
    poolerClients,
    sockets,
    deliveries,
    projectWalBytes:
      busy * walOfBusyDay(work) + running * cost.projectWalAtRest.value * secondsOfDay,
    platformWalBytes:
      (cost.platformWalBase.value + running * cost.platformWalPerProject.value) * secondsOfDay,
    platformTransactions: cost.transactionsBase.value + running * cost.transactionsPerProject.value,
    storedObjects: projects * work.storedObjects,
    backups: projects * work.paidShare * work.daysKept,
    archivedFiles: withRecovery * filesOfDay * work.daysKept,
    serverFiles: projects * cost.projectFiles.value,
    emptyServerBytes: projects * cost.projectDiskMb.value * 1024 ** 2,
  }
}

/** So many projects in cells of nearly the same size, none of them above the limit. Even without a project there is one cell. */
export function cellsFor(projects: number, work: Workload, limit = cellLimit(work).projects) {
  const cells = Math.max(1, Math.ceil(projects / limit))
  const [least, larger] = [Math.floor(projects / cells), projects % cells]
  const [few, more] = [useOfCell(least, work), useOfCell(least + 1, work)]
  const total = Object.fromEntries(
    Object.entries(few).map(([name, value]) => [
      name,
      value * (cells - larger) + more[name as keyof Use] * larger,
    ]),
  ) as Use
  return { projects, cells, perCell: larger > 0 ? least + 1 : least, total }
}
export type Cells = ReturnType<typeof cellsFor>

/** Something that a cell has only so much of. */
export type Bound = {
  /** What is used up, in words. */
  what: string
  /** What happens then. */
  beyond: string
  /** How much of it so many projects take, and how much there is. Never less for more projects. */
  load: (projects: number) => number
  capacity: number
  /** Beyond a hard one a cell no longer does its work; beyond the others something is late. */
  isHard: boolean
}

export function boundsOfCell(work: Workload): Bound[] {
  const { machine, plannedShare } = work
  const use = (projects: number) => useOfCell(projects, work)
  return [
    {
      what: 'ports for databases (`PLINTH_DATABASE_PORTS`, as it is unless told)',
      beyond: 'no further project is made',
      load: (projects) => projects,
      capacity: cost.databasePorts.value,
      isHard: true,
    },
    {
      what: 'the one thread that does the rounds',
      beyond: 'dead servers are noticed later than in 5 seconds',
      load: (projects) => use(projects).roundsCores,
      capacity: plannedShare,
      isHard: true,
    },
    {
      what: 'memory of the machine',
      beyond: 'the kernel ends processes',
      load: (projects) => use(projects).memoryMb,
      capacity: machine.memoryMb * plannedShare,
      isHard: true,
    },
    {
      what: 'processors of the machine',
      beyond: 'everybody waits',
      load: (projects) => use(projects).cores,
      capacity: machine.cores * plannedShare,
      isHard: true,
    },
    {
      what: 'open files of the data plane that has the ports',
      beyond: 'connections are refused',
      // A port that listens, also of a paused project; each client of the pooler and each socket; a connection to the server behind it.
      load: (projects) => {
        const { databaseConnections, poolerClients, sockets } = use(projects)
        return projects + databaseConnections + poolerClients + sockets
      },
      capacity: machine.openFiles * plannedShare,
      isHard: true,
    },
    {
      what: 'scheduled backups, two at a time',
      beyond: 'backups are more than a day apart',
      // Paid projects are not paused for want of use, so all of them have theirs.
      load: (projects) => projects * work.paidShare * work.secondsPerBackup,
      capacity: cost.backupsAtOnce.value * secondsOfDay * plannedShare,
      isHard: true,
    },
    {
      what: 'projects that a data plane remembers',
      beyond: 'it asks the control plane again for those that it forgot',
      load: (projects) => projects * work.runningShare,
      capacity: cost.rememberedProjects.value,
      isHard: false,
    },
    {
      what: 'looks at figures of statements, 20 projects in a minute',
      beyond: 'a project is looked at less often than each quarter of an hour',
      load: (projects) => projects * work.runningShare,
      capacity: cost.looksPerMinute.value * 15,
      isHard: false,
    },
    {
      what: 'lists that each data plane reads anew after each change of a project, a thousand rows in a second',
      beyond: 'the control plane and the data planes are busy with lists',
      load: (projects) => ((projects * work.changesPerDay) / secondsOfDay) * projects,
      capacity: 1000,
      isHard: false,
    },
  ]
}

/** The most projects whose load fits: found by halving, since loads only grow. */
export function projectsWithin({ load, capacity }: Pick<Bound, 'load' | 'capacity'>): number {
  let [fits, tooMany] = [0, 1e9]
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2)
    if (load(middle) <= capacity) fits = middle
    else tooMany = middle
  }
  return fits
}

/** How many projects a cell may have, and what says so. */
export function cellLimit(work: Workload): { projects: number; bound: Bound } {
  const [first, ...others] = boundsOfCell(work).filter(({ isHard }) => isHard)
  if (!first) throw new Error('A cell without bounds')
  const bound = others.reduce(
    (least, one) => (projectsWithin(one) < projectsWithin(least) ? one : least),
    first,
  )
  return { projects: Math.max(1, projectsWithin(bound)), bound }
}
