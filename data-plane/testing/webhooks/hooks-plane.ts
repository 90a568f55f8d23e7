import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { silentLog, type Log } from '#kit/log'
import { root } from '#kit/root'
import { createDataPlane } from '../../app.ts'
import { startDataPlane } from '../data-plane.ts'
import { fixedDirectory } from '../fixed-directory.ts'
import { startReceiver } from './receiver.ts'

export const webhookSchema = () => readFile(join(root, 'data-plane/webhooks/schema.sql'), 'utf8')
/** What an earlier version made when webhooks were enabled. */
export const schemaBefore = () => readFile(join(root, 'kit/testing/webhooks-before.sql'), 'utf8')

type Options = {
  setup: string
  schema?: string
  enabled?: boolean
  /** Milliseconds after which a sender looks without being told. */
  look?: number
  /** Whether addresses of this machine may be called, as tests need it that have a receiver here. */
  reachesLoopback?: boolean
  log?: Log
}

/** A data plane that sends the webhooks of one project, and somebody whom they call. */
export async function startHooks({
  setup,
  schema,
  enabled = true,
  look = 100,
  log,
  ...more
}: Options) {
  const receiver = await startReceiver()
  let refs: string[] = []
  let keys: Record<string, string[]> = {}
  const watchers = new Set<() => void>()
  const source = {
    net: () => Promise.resolve(refs),
    webhooks: () => Promise.resolve(refs),
    webhookKeys: () => Promise.resolve(keys),
    onAnyChange: (listener: () => void) => {
      watchers.add(listener)
      return () => watchers.delete(listener)
    },
  }
  const webhooks = {
    source,
    keepNetUse: () => Promise.resolve(),
    timing: { look, forget: 60_000 },
  }
  const plane = await startDataPlane(
    `${schema ?? (await webhookSchema())}; ${setup}`,
    {},
    undefined,
    { reachesLoopback: more.reachesLoopback ?? true, webhooks, ...(log ? { log } : {}) },
  )
  const changed = () => {
    for (const watcher of watchers) watcher()
  }
  const enable = (on = true) => {
    refs = on ? [plane.project.ref] : []
    changed()
  }
  if (enabled) enable()
  const { sql } = plane
  const isSending = async () => (await sql(senders)).length > 0
  const senders = `select from pg_locks l join pg_database d on d.oid = l.database
      where d.datname = current_database() and locktype = 'advisory' and mode = 'ShareLock'`
  /** Nobody sends any more when it returns. */
  async function stop(): Promise<void> {
    enable(false)
    while (await isSending()) await setTimeout(20)
  }
  return {
    plane,
    receiver,
    sql,
    enable,
    setKeys: (now: typeof keys) => {
      keys = now
      changed()
    },
    /** Makes a webhook of a table that calls a path of the receiver. */
    hook: (name: string, table: string, path = `/${name}`) =>
      sql(`create or replace trigger ${name} after insert or update or delete on ${table} for each row
        execute function supabase_functions.http_request('${receiver.address}${path}', 'POST', '{"Content-Type":"application/json"}', '{}', '2000')`),
    settings: (name: string, table: string, columns: string, values: string) =>
      sql(`insert into supabase_functions.hook_settings (hook_table, hook_name, ${columns})
        values ('${table}'::regclass, '${name}', ${values})`),
    deliveries: (name: string) =>
      sql(`select id, webhook_id, state, attempts, due_at > now() + interval '1 second' as later
        from supabase_functions.deliveries where hook_name = '${name}' order by id`),
    attempts: (name: string) =>
      sql(`select a.attempt, a.status_code, a.content, a.timed_out, a.error_msg from supabase_functions.delivery_attempts a
        join supabase_functions.deliveries d on d.id = a.delivery_id where d.hook_name = '${name}' order by d.id, a.attempt`),
    /** Those that wait for their time need not wait. */
    hurry: () =>
      sql(`update supabase_functions.deliveries set due_at = now() where state = 'waiting' and due_at > now();
        select pg_notify('plinth_hooks', '')`),
    stop,
    /** Whoever sends ends, and has begun again when it returns. */
    restart: async () => {
      await stop()
      enable()
      while (!(await isSending())) await setTimeout(20)
    },
    /** Another process that serves the same project. */
    another: async () => {
      const other = createDataPlane({
        directory: fixedDirectory([plane.project]),
        internalToken: 'a token that only our own programs know',
        mailFrom: 'Plinth <no-reply@localhost>',
        keepMail: () => Promise.resolve(),
        log: silentLog,
        imports: { folder: join(tmpdir(), `plinth-imports-${randomUUID()}`) },
        reachesLoopback: true,
        webhooks,
      })
      await other.listen({ host: '127.0.0.1', port: 0 })
      return other
    },
    close: async () => {
      receiver.close()
      await plane.close()
    },
  }
}
