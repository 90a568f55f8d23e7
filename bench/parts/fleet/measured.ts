/**
 * What has been measured, or counted in the code, and what the model (`model.ts`) is made of. Benches print their figures and keep none, so
 * they are written down here, with the bench or the file that they are from and the day.
 */
export type Figure = { value: number; unit: string; what: string; from: string; day: string }

const figure =
  (from: string, day: string) =>
  (value: number, unit: string, what: string): Figure => ({ value, unit, what, from, day })
const idle = figure('bench `idle`', '2026-11-28')
const many = figure('bench `idle`, with 101 projects', '2026-11-27')
const look = figure('a look at a new project', '2026-11-28')
const peer = figure('bench `rest-peer`', '2026-11-27')
const code = (file: string) => figure(`\`${file}\``, '2026-11-28')
/** Not measured: read from the code. */
const counted = figure('counted in the code, not measured', '2026-11-28')

export const cost = {
  baseMb: idle(277, 'MB', 'programs of the platform and its database'),
  projectMb: figure('bench `footprint`', '2026-11-23')(12, 'MB', 'a server at rest'),
  baseProcesses: idle(12, 'processes', 'of the platform and its database'),
  projectProcesses: idle(7, 'processes', 'of a server at rest'),
  roundsBase: idle(6.8, 'ms/s', 'processor of the control plane with one project'),
  roundsPerProject: many(0.35, 'ms/s', 'what each running project adds to it'),
  restBase: idle(5.7, 'ms/s', 'processor of launcher, platform database and data plane'),
  restPerProject: idle(0.2, 'ms/s', 'processor of a server at rest'),
  transactionsBase: idle(2.7, '/s', 'transactions of the platform database with one project'),
  // Its disk each 5 minutes, its figures of statements each 15 (three), what it stores each hour.
  transactionsPerProject: counted(0.007, '/s', 'what each running project adds to them'),
  platformWalBase: idle(3530, 'bytes/s', 'write-ahead log of the platform database'),
  // A row of samples each minute with its index, and the row of its disk each 5 minutes.
  platformWalPerProject: counted(10, 'bytes/s', 'what each running project adds to it'),
  projectWalAtRest: idle(2, 'bytes/s', 'write-ahead log of a server at rest, at most'),
  readMicros: peer(284, 'µs', 'processor for a read by key, server and Postgres'),
  insertMicros: peer(403, 'µs', 'processor for an insert, server and Postgres'),
  poolerClientKb: figure('bench `pooler`', '2026-11-27')(7, 'kB', 'a client of the pooler'),
  socketKb: figure('bench `rt-idle`', '2026-11-23')(27, 'kB', 'a socket of realtime, at most'),
  deliveryMicros: figure('bench `rt-changes`', '2026-11-23')(
    12,
    'µs',
    'until one more of a thousand subscribers has heard, an upper bound of its processor time',
  ),
  projectDiskMb: look(27, 'MB', 'an empty project on disk'),
  projectFiles: look(1185, 'files', 'an empty project on disk'),
  segmentBytes: code('compute/local/template.ts')(1024 ** 2, 'bytes', 'a file of write-ahead log'),
  archiveSeconds: code('compute/local/backups/archive.ts')(
    60,
    's',
    'until what was written is archived',
  ),
  databasePorts: code('kit/config')(5600, 'ports', 'for databases: each project keeps one'),
  backupsAtOnce: code('control-plane/projects/backups/due.ts')(2, 'backups', 'made at a time'),
  looksPerMinute: code('control-plane/observability/query-trends/collector.ts')(
    20,
    'projects',
    'whose figures of statements are looked at in a minute',
  ),
  rememberedProjects: code('data-plane/projects/directory.ts')(
    20_000,
    'projects',
    'that a data plane remembers',
  ),
} satisfies Record<string, Figure>
