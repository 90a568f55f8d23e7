import { createRequire } from 'node:module'
import { rm } from 'node:fs/promises'
import type { Log } from '#kit/log'
import type { LogStore } from '../log-store.ts'
import { patternOf } from '../questions/conditions.ts'
import { pageOf, pageStatements } from '../questions/page.ts'
import { readRow } from '../questions/rows.ts'
import { isEmpty, keptSpan } from '../questions/spans.ts'
import { facetsOf, facetsStatements, histogramOf, histogramStatement } from '../questions/sums.ts'
import { traceSpan, traceStatement } from '../questions/trace.ts'
import { createAsk } from './ask.ts'
import { dayOf } from './days.ts'
import { defaultLimits, type LogLimits } from './limits.ts'
import { createPacker } from './packer.ts'
import { createProjectFolders } from './project-folders.ts'
import { createReaders } from './readers.ts'
import { createRounds } from './rounds.ts'
import { createSegments } from './segments.ts'
import { createSpace } from './space.ts'
import type { EngineMissing, EngineProgram } from './start-engine.ts'
import { createSpool, type Spool } from '../spool/spool.ts'
import { createWriters } from './writers.ts'

export type LogFilesOptions = {
  /** All logs lie below it. Several processes may share it. */
  folder: string
  log: Log
  engine: EngineProgram
  /** Milliseconds since 1970. */
  now?: () => number
  /** Milliseconds between two writes. */
  everyMs?: number
  limits?: Partial<LogLimits>
}
/** What tests and benches see of it besides: its children, and its rounds when they want them. */
export type LogFiles = LogStore & {
  /** What waits to be sent elsewhere. */
  spool: Spool
  /** What dead processes left is looked after. */
  ready: Promise<void>
  /** Packs everything that is sealed, and makes room. */
  tidyAll(): Promise<void>
  pids(): { readers: Map<string, number | undefined>; packer: number | undefined }
}

/** Logs as files: lines that are appended, packed into columns later, and asked for in a child. */
export function createLogFiles(options: LogFilesOptions): LogFiles {
  const { folder, log, engine, now = Date.now, everyMs = 200 } = options
  const limits = { ...defaultLimits, ...options.limits }
  let canAnswer = isInstalled(engine.program)
  if (!canAnswer)
    log.warn('logs are collected, but cannot be searched: @duckdb/node-api is not installed')
  const onMissing = (error: EngineMissing) => {
    if (canAnswer) log.warn({ err: error }, 'logs are collected, but cannot be searched')
    canAnswer = false
  }
  const answers = () => canAnswer
  const folders = createProjectFolders(folder)
  const writers = createWriters(folder, now)
  const space = createSpace({ folders, now, limits, log })
  const spool = createSpool({
    folders,
    writers,
    isOpen: (ref, key) => segments.isOpen(ref, key),
    log,
  })
  const segments = createSegments({
    folders,
    writers,
    now,
    everyMs,
    limits,
    onWritten: (bytes, ref) => {
      space.note(bytes)
      spool.written(ref)
    },
    onMade: (ref, key, path) => spool.begun(ref, key, path),
    log,
  })
  const readers = createReaders({ folders, engine, limits, log })
  const packer = createPacker({ folders, writers, engine, limits, log })
  const rounds = createRounds({
    folders,
    writers,
    segments,
    packer,
    space,
    now,
    limits,
    onMissing,
    canPack: answers,
    log,
  })
  const askEngine = createAsk({ folders, segments, readers, limits, answers, onMissing })
  /** A reader is up: what waits to be packed is packed by the way. */
  const andPack = <T>(ref: string, answer: T): T => {
    rounds.asked(ref).catch(() => undefined)
    return answer
  }
  const ask: typeof askEngine = {
    rows: async (ref, ...question) => andPack(ref, await askEngine.rows(ref, ...question)),
    query: async (ref, ...question) => andPack(ref, await askEngine.query(ref, ...question)),
  }
  // It is said in the log when it fails.
  const ready = rounds.first().catch(() => undefined)

  return {
    spool,
    append: segments.append,
    lose: segments.lose,
    async page(ref, question, kept, signal) {
      const span = keptSpan(question, kept)
      if (question.direction === 'newer')
        span.to = Math.min(span.to, (now() - limits.followMs) * 1000)
      if (isEmpty(span)) return { events: [], lost: [] }
      const plan = (sources: Parameters<typeof pageStatements>[2]) =>
        pageStatements({ ...question, auditSince: kept.auditSince }, span, sources)
      return pageOf(question, await ask.rows(ref, span, plan, signal))
    },
    async histogram(ref, question, kept, signal) {
      const span = keptSpan(question, kept)
      if (isEmpty(span)) return histogramOf(question, [])
      const { results } = await ask.rows(
        ref,
        span,
        (sources) => ({
          statements: [
            histogramStatement({ ...question, auditSince: kept.auditSince }, span, sources),
          ],
          ...patternOf(question),
        }),
        signal,
      )
      return histogramOf(question, results[0] ?? [])
    },
    async facets(ref, question, kept, signal) {
      const span = keptSpan(question, kept)
      if (isEmpty(span)) return facetsOf(question, [])
      const { results } = await ask.rows(
        ref,
        span,
        (sources) => ({
          statements: facetsStatements({ ...question, auditSince: kept.auditSince }, span, sources),
          ...patternOf(question),
        }),
        signal,
      )
      return facetsOf(question, results.flat())
    },
    async trace(ref, question, kept, signal) {
      const span = traceSpan(question, kept)
      if (isEmpty(span)) return []
      const { results } = await ask.rows(
        ref,
        span,
        (sources) => ({
          statements: [traceStatement({ ...question, auditSince: kept.auditSince }, span, sources)],
        }),
        signal,
      )
      return (results[0] ?? []).map(readRow).filter((event) => event !== undefined)
    },
    async query(ref, { sql, dialect, ...range }, kept, signal) {
      const span = keptSpan(range, kept)
      const asked = { sql, dialect, ...span, auditSince: kept.auditSince, now: now() * 1000 }
      return ask.query(ref, span, asked, signal)
    },
    oldest: space.oldest,
    projects: folders.projects,
    answers,
    async retain(ref, before) {
      await segments.let(ref, dayOf(before))
      await space.retain(ref, before)
    },
    async drop(ref) {
      await segments.let(ref)
      await readers.end(ref)
      await rm(folders.of(ref), { recursive: true, force: true, maxRetries: 5 })
      await spool.drop(ref)
    },
    flush: segments.flush,
    async close() {
      await segments.close()
      await Promise.all([rounds.close(), readers.close()])
      await writers.close()
    },
    ready,
    tidyAll: rounds.all,
    pids: () => ({ readers: readers.pids(), packer: packer.pid() }),
  }
}
/** Whether the engine and its program for this machine are there. It is not loaded: that is for the child alone. */
function isInstalled(program: string): boolean {
  try {
    createRequire(program).resolve('@duckdb/node-api')
    return true
  } catch {
    return false
  }
}
