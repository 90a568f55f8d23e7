import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '#kit/log'
import { arrayLiteral } from '../query/array-literal.ts'
import { parseCatalog } from './catalog.ts'
import { catalogSql } from './catalog-sql.ts'
import { catalogRole, type Database } from '../database.ts'
import { createNotices } from '../answers/notices.ts'
import type { Schema } from './schema.ts'
import { readCatalog } from './read-catalog.ts'

export type SchemaCache = {
  /** What is known now, at once; only the very first request of a project waits. Rejects when that load fails. */
  current(): Schema | Promise<Schema>
  /**
   * For a request that found something missing: waits for every change committed before this call.
   * Resolves with a newer schema, or undefined when there is none.
   */
  caughtUp(than: Schema): Promise<Schema | undefined>
}

/** Where the schema of a project outlives its connections. */
export type Memory = { get(): Schema | undefined; set(schema: Schema): void }

/** What is read before each load. @throws as a failed load does */
export type Configure = () => Promise<{
  schemas: readonly string[]
  /** In place of those that the catalog has. */
  options: Schema['options'] | undefined
}>

/** What a project's owner is told of its schema: that it was read, or why it could not be. */
export type SchemaEvent =
  | { kind: 'loaded'; ms: number; relations: number; functions: number }
  | { kind: 'failed'; reason: string }

const sizeOf = (bySchema: ReadonlyMap<string, { size: number }>) =>
  [...bySchema.values()].reduce((sum, { size }) => sum + size, 0)

/** Least pause between two loads that nobody waits for, so that a burst of changes costs a few loads, not one each. */
const pauseMs = 100
const retryMs = { first: 250, max: 10_000 }

/**
 * The schema of one open project. It is read in the background when the database says that it changed; requests go on
 * with the one they have.
 */
export function createSchemaCache(
  database: Database,
  configure: Configure,
  log: Log,
  memory: Memory,
  /** As `createNotices` takes it. */
  channel?: string | null,
  note?: (event: SchemaEvent) => void,
): SchemaCache {
  let schema = memory.get()
  /** Set while what was remembered is being checked; then it is as good as loaded. */
  let checked: Promise<void> | undefined
  let first: Promise<Schema> | undefined
  let loading: Promise<void> | undefined
  let stale = false
  let hurry: (() => void) | undefined

  async function load(): Promise<Schema> {
    // Whatever changes from here on is seen by the next load.
    stale = false
    const startedAt = performance.now()
    const own = await configure()
    const [, rows = []] = await database.run(catalogRole, {
      statements: [
        { text: prepareSql, values: ['', '60s', 'on'] },
        { text: catalogSql, values: [arrayLiteral(own.schemas)] },
      ],
    })
    const catalog = await parseCatalog(rows)
    schema = readCatalog(catalog, (schema?.epoch ?? 0) + 1, own.options)
    memory.set(schema)
    note?.({
      kind: 'loaded',
      ms: performance.now() - startedAt,
      relations: sizeOf(schema.relations),
      functions: sizeOf(schema.functions),
    })
    return schema
  }

  function changed(): void {
    stale = true
    // Before the first load there is nothing to renew.
    if (schema && !loading) loading = renew().finally(() => (loading = undefined))
  }

  /** Loads until nothing has changed during the last load. */
  async function renew(): Promise<void> {
    let wait = retryMs.first
    while (stale && !database.closed) {
      try {
        await load()
        wait = retryMs.first
        if (stale) await pause(pauseMs)
      } catch (error) {
        if (database.closed) return
        stale = true
        log.warn({ err: error }, 'The schema of a project could not be loaded')
        note?.({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) })
        await pause(wait)
        wait = Math.min(wait * 2, retryMs.max)
      }
    }
  }

  /** Ends early when a request waits for the next load. */
  async function pause(ms: number): Promise<void> {
    const early = new Promise<void>((end) => (hurry = end))
    const ended = new AbortController()
    await Promise.race([
      early,
      delay(ms, undefined, { signal: ended.signal }).catch(() => undefined),
    ])
    ended.abort()
    hurry = undefined
  }

  const notices = createNotices(database, log, changed, channel)

  /** What was remembered may have changed while nobody listened: it serves, and is read anew at once. */
  function check(): Promise<void> {
    checked ??= notices.ready().then(changed, (error: unknown) => {
      checked = undefined
      log.warn({ err: error }, 'The schema of a project could not be checked')
    })
    return checked
  }
  const isRemembered = schema !== undefined

  return {
    current() {
      if (schema) {
        if (isRemembered) void check()
        return schema
      }
      // The connection that loads is opened while the one that listens is: a project that wakes up has a reader waiting.
      first ??= Promise.all([notices.ready(), database.run(catalogRole, { statements: warmUp })])
        .then(load)
        .then((loaded) => {
          if (stale) changed()
          return loaded
        })
        .finally(() => (first = undefined))
      return first
    },
    async caughtUp(than) {
      if (isRemembered) await check()
      await notices.flush()
      const deadline = performance.now() + 5000
      while (loading && performance.now() < deadline) {
        hurry?.()
        await Promise.race([loading, delay(50)])
      }
      return schema === than ? undefined : schema
    },
  }
}

const warmUp = [{ text: 'select 1', values: [] }]

const prepareSql = `select set_config('search_path', $1, true), set_config('statement_timeout', $2, true),
  set_config('transaction_read_only', $3, true)`
