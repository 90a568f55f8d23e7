import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import type { Db } from '#control-plane/platform-database/database'
import { preparePostgres } from '#kit/postgres/runtime'
import { withPlatformDatabase } from './platform-database.ts'
import type { Place } from './platform.ts'

const projectName = /^[a-z]{20}$/
const serverName = /^[a-z]{20}(?:-[a-z]{5})?$/

/**
 * What runs below one home folder: for each database server its name and pids. A project's is its ref, that of a read replica
 * `{ref}-{identifier}`, that of the platform's own `platform`.
 */
export function serversOf(clusters: string): Map<string, number[]> {
  const found = new Map<string, number[]>()
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const cwd = readlinkSync(join('/proc', name, 'cwd'))
      if (!cwd.startsWith(`${clusters}/`)) continue
      const folder =
        cwd
          .slice(clusters.length + 1)
          .replace(/^projects\//, '')
          .replace('/replicas/', '-')
          .split('/')[0] ?? ''
      found.set(folder, [...(found.get(folder) ?? []), Number(name)])
    } catch {
      // The process ended while it was being looked at.
    }
  }
  return found
}

const atRest = [
  'ACTIVE_HEALTHY',
  'INACTIVE',
  'INIT_FAILED',
  'PAUSE_FAILED',
  'RESTORE_FAILED',
  'REMOVED',
]

const withoutJob = [
  'listeners.set',
  // Jobs of replicas own their replica, and not the project.
  'replicas.create',
  'replicas.restart',
  'replicas.remake',
  'replicas.remove',
  'disk.allowWrites',
  'projects.disk',
  'projects.update',
  'projects.fail',
  'backups.make',
  'billing.setAddOn',
  'branches.update',
  'branches.pull',
  'branches.merge',
  'branches.reset',
  'branches.setBuckets',
  // Its job is of the copy, not of the project.
  'dryRuns.start',
  'mergeRequests.create',
  'mergeRequests.update',
  'mergeRequests.close',
  'mergeRequests.comment',
  'mergeRequests.review',
  'git.set',
  'git.remove',
  'git.newSecret',
  // Its job is of the deployment, not of the project.
  'git.deploy',
  'branches.setSettings',
  'billing.removeAddOn',
  'backups.fail',
  'backups.download',
  'transfer.run',
  'authConfig.update',
  'dataApi.update',
  'realtime.update',
  'serviceRestarts.restart',
  'vault.create',
  'vault.update',
  'vault.remove',
  'vault.reveal',
  'vault.rotate',
  'webhooks.enable',
  'log-drains.create',
  'log-drains.update',
  'log-drains.remove',
  'log-drains.fail',
  'log-drains.lose',
  'functions.deploy',
  'secrets.set',
  'secrets.remove',
  'storage.restore',
  'storage.restoreMany',
  'storage.purge',
  'storage.emptyTrash',
  'storageKeys.create',
  'storageKeys.remove',
  'storageSettings.update',
  'v1.applyNetworkRestrictions',
  'database-password.set',
  'domains.initialize',
  'domains.activate',
  'domains.remove',
  'domains.lost',
  'domains.records-missing',
  'domains.activate-vanity',
  'domains.remove-vanity',
  'domains.certificate',
  'domains.retry-certificate',
]

/** Everything that is wrong with the world of a platform that has come to rest; empty when it is sane. */
export async function wrongsOf(platform: Pick<Place, 'home'>): Promise<string[]> {
  const runtime = await preparePostgres(platform.home)
  return withPlatformDatabase(platform, async (db) => {
    const rows = await db.selectFrom('platform.projects').selectAll().execute()
    const jobs = await db.selectFrom('platform.jobs').selectAll().execute()
    const audit = await db.selectFrom('platform.audit_entries').selectAll().execute()
    const servers = serversOf(runtime.clusters)
    const folders = readdirSync(join(runtime.clusters, 'projects'))
    const sockets = readdirSync(runtime.sockets).filter((name) => serverName.test(name))
    const trash = readdirSync(join(runtime.clusters, 'trash'))
    const byRef = new Map(rows.map((row) => [row.ref, row]))
    const wrongs: string[] = []

    for (const row of rows) {
      const runs = servers.has(row.ref)
      const exists = folders.includes(row.ref)
      const should = row.status === 'ACTIVE_HEALTHY'
      if (!atRest.includes(row.status)) wrongs.push(`${row.ref} is stuck in ${row.status}`)
      if (row.job_id) wrongs.push(`${row.ref} is still owned by a job`)
      if (should !== runs)
        wrongs.push(`${row.ref} is ${row.status} and ${runs ? 'runs' : 'does not run'}`)
      // What could not be made may be whole all the same, and is kept then.
      const isKept = row.status !== 'REMOVED' || row.deleted_at !== null
      if (row.status !== 'INIT_FAILED' && exists !== isKept) {
        wrongs.push(
          `${row.ref} is ${row.status} and its folder ${exists ? 'exists' : 'is missing'}`,
        )
      }
      if (should && row.db_address && !(await answers(row.db_address))) {
        wrongs.push(`${row.ref} does not listen where its row says`)
      }
    }
    wrongs.push(...(await wrongsOfReplicas(db, { ...runtime, servers, folders })))
    for (const name of [...servers.keys()].filter((name) => projectName.test(name))) {
      if (!byRef.has(name)) wrongs.push(`${name} runs and has no row`)
    }
    for (const ref of folders) if (!byRef.has(ref)) wrongs.push(`${ref} has a folder and no row`)
    for (const ref of sockets)
      if (!servers.has(ref)) wrongs.push(`${ref} has a socket and no server`)
    for (const name of trash) wrongs.push(`${name} is left in the trash`)
    for (const job of jobs)
      if (!job.finished_at) wrongs.push(`job ${job.name} ${job.subject} never ended`)
    // A rename, a transfer, settings and a password are accepted changes that need no job, and a failure is nobody's order;
    // every other change of a project has exactly one.
    // Invoices and mails have jobs of their own, which other changes order.
    const orders = audit.filter(
      ({ target, action }) => target.startsWith('project:') && !withoutJob.includes(action),
    )
    // A copy for a dry run is ordered with that.
    const copies = new Set(rows.flatMap((row) => (row.is_dry_run ? [row.ref] : [])))
    const ordered = jobs.filter(
      ({ name, subject }) => name.startsWith('project.') && !copies.has(subject),
    )
    if (orders.length !== ordered.length) {
      wrongs.push(`${ordered.length} jobs and ${orders.length} audit entries that ordered them`)
    }
    return wrongs
  })
}

type Running = { clusters: string; servers: ReadonlyMap<string, number[]>; folders: string[] }

/** Each replica that has a row runs beside its project, and nothing is left of others. */
async function wrongsOfReplicas(
  db: Db,
  { clusters, servers, folders }: Running,
): Promise<string[]> {
  const replicas = await db
    .selectFrom('platform.read_replicas as replica')
    .innerJoin('platform.projects as project', 'project.id', 'replica.project_id')
    .select(['project.ref', 'project.status as of', 'replica.status', 'replica.identifier'])
    .select('replica.job_id')
    .execute()
  const wrongs: string[] = []
  const known = new Set(replicas.map(({ ref, identifier }) => `${ref}-${identifier}`))
  for (const { ref, identifier, status, of, job_id } of replicas) {
    const name = `${ref}-${identifier}`
    const runs = servers.has(name)
    const should = status === 'ACTIVE_HEALTHY' && of === 'ACTIVE_HEALTHY'
    if (job_id) wrongs.push(`replica ${name} is still owned by a job`)
    if (should !== runs)
      wrongs.push(`replica ${name} is ${status} and ${runs ? 'runs' : 'does not run'}`)
  }
  const kept = folders.flatMap((ref) => {
    const folder = join(clusters, 'projects', ref, 'replicas')
    return existsSync(folder) ? readdirSync(folder).map((id) => `${ref}-${id}`) : []
  })
  for (const name of kept)
    if (!known.has(name)) wrongs.push(`replica ${name} has a folder and no row`)
  for (const name of servers.keys())
    if (serverName.test(name) && !projectName.test(name) && !known.has(name))
      wrongs.push(`replica ${name} runs and has no row`)
  return wrongs
}

/** A server that answers at all, even with a refusal of this login, is there. */
async function answers({ host, port }: { host: string; port: number }): Promise<boolean> {
  const client = new Client({ host, port, user: 'anon', database: 'postgres', password: 'x' })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && String(error.code).startsWith('28')
  } finally {
    await client.end()
  }
}
