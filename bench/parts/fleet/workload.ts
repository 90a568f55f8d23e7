import { planLimits } from '#contract/limits'

/**
 * What projects do all day, and the machine that they do it on. None of this is measured: nobody has run so many of them.
 * Whoever knows better changes a number here and reads the table again (`npm run bench -- fleet-model`).
 */
export type Workload = {
  /** Of all projects, the share whose server runs. The others are paused or wait in the trash. */
  runningShare: number
  /** Of those that run, the share that somebody uses at the busiest hour. */
  busyShare: number
  /** Of all projects, the share on a paid plan, which has a backup each day. */
  paidShare: number
  /** Of all projects, the share with point in time recovery. */
  recoveryShare: number
  /** Requests to the data API of a busy project in a second. */
  requestsPerSecond: number
  /** Of these, the share that insert a row; the others read one by its key. */
  insertShare: number
  /** Bytes of write-ahead log for one insert, with its index and its commit. */
  walBytesPerInsert: number
  /** Hours of a day in which a busy project is busy. */
  busyHours: number
  /** Connections to the server of a busy project: of our services, and those that its customer opens. */
  connectionsPerBusyProject: number
  /** Megabytes of one of these connections, with what it has done. */
  megabytesPerConnection: number
  /** Megabytes of rows that a busy project keeps in memory: shared buffers and files. */
  megabytesOfRows: number
  /** Clients of the pooler that wait, for each busy project. */
  poolerClients: number
  /** Sockets of realtime of a busy project. */
  sockets: number
  /** Messages in a second, and how many sockets each of them goes to. */
  messagesPerSecond: number
  subscribers: number
  /** Times that the row of a project changes in a day: paused, resumed, resized, a setting, a key. */
  changesPerDay: number
  /** Objects that a project has stored. */
  storedObjects: number
  /** Seconds that a backup takes with its drill. */
  secondsPerBackup: number
  /** Days for which backups and archives are kept. */
  daysKept: number
  /** The machine of a cell, with the files that one program may open (`deploy/plinth.service`), and the share of it that may be planned: the rest is for hours that are busier than this one. */
  machine: { cores: number; memoryMb: number; openFiles: number }
  plannedShare: number
}

export const usualWorkload: Workload = {
  runningShare: 0.4,
  busyShare: 0.1,
  paidShare: 0.2,
  recoveryShare: 0.02,
  requestsPerSecond: 5,
  insertShare: 0.2,
  walBytesPerInsert: 500,
  busyHours: 8,
  connectionsPerBusyProject: 15,
  megabytesPerConnection: 5,
  megabytesOfRows: 75,
  poolerClients: 20,
  sockets: 50,
  messagesPerSecond: 1,
  subscribers: 25,
  changesPerDay: 2,
  storedObjects: 1000,
  secondsPerBackup: 60,
  daysKept: planLimits.pro.backupRetentionDays ?? 7,
  machine: { cores: 16, memoryMb: 128 * 1024, openFiles: 65_536 },
  plannedShare: 0.7,
}
