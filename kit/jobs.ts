import { AsyncResource } from 'node:async_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { DBOS } from '@dbos-inc/dbos-sdk'
import type { Pool } from 'pg'
import { createLimiter } from './concurrency.ts'
import { failpoint } from './failpoints.ts'
import type { Log } from './log.ts'
import { oneAtATime } from './postgres/migrations.ts'
import { askSeldomOnceTakenUp, launchQuietly, takeUpJobsOf } from './quiet-queue.ts'
import { createSubjects, type EachSubject } from './subjects.ts'

/** Runs one named part of a job. A step that has finished is not run again when the job is taken up after a crash. */
export type Step = <T>(name: string, run: () => Promise<T>, retry?: Retry) => Promise<T>

/** Attempts in all, and seconds before the second one; the wait doubles each time. */
export type Retry = { attempts: number; seconds: number }

/** A job's input and step results are stored as JSON beside the job: refs and ids only, never a secret. */
export type JobHandler = (job: Job, step: Step) => Promise<void>

/** `subject` is what the job is about, such as a project's ref. */
export type Job = { id: string; name: string; subject: string }

/**
 * The list of accepted jobs, written in the caller's own transaction. It is what makes accepting and doing one thing:
 * a job that was accepted but not started when the process died is found here.
 */
export type Outbox = {
  unfinished(): Promise<Job[]>
  finish(id: string, failure: string | undefined): Promise<void>
}

export type Jobs = {
  /** Starts an accepted job now. Starting the same id twice runs it once. */
  start(job: Job): Promise<void>
  /** Takes up what was accepted but is not finished. Called at boot; safe to call at any time. */
  recover(): Promise<number>
  /**
   * Takes up the jobs of programs that are gone: of those that have some, `alive` says which are there. Answers with the gone ones.
   */
  takeOver(alive: (executors: string[]) => Promise<string[]>): Promise<string[]>
  /**
   * Calls `run` every `seconds`, never twice at once; failures are logged and the next round goes on. Where it answers false it was
   * not its turn, and it is asked again sooner.
   */
  every(seconds: number, name: string, run: () => Promise<boolean>): void
  /** Ends schedules at once and waits for what runs, rounds and jobs, up to `milliseconds` each; the rest goes on at the next start. */
  close(milliseconds?: number): Promise<void>
}

type Options = {
  pool: Pool
  handlers: Record<string, JobHandler>
  outbox: Outbox
  log: Log
  /** By which one job that cannot be taken up holds up no other. */
  each?: EachSubject
  /** Names this process among several that share the database, and the same process when it is started again. */
  executor?: string
}

const hourMs = 3_600_000
/** The name of a process that shares its database with no other. What others left is then only what an earlier one left. */
export const alone = 'local'
/** Between two looks whether it is this program's turn. */
const turnSeconds = 10
/**
 * So many schedules have their first round at a time: all of them at once would ask the pool for every connection it may
 * have, at the moment in which the first people come. A round that takes longer than this holds no other up.
 */
const beginning = { concurrency: 4, milliseconds: 2000 }

/** Durable jobs on DBOS, which keeps each finished step in Postgres and takes unfinished jobs up at the next start. */
export async function createJobs({
  pool,
  handlers,
  outbox,
  log,
  each = createSubjects(log).each,
  executor = alone,
}: Options): Promise<Jobs> {
  const timers = new Set<NodeJS.Timeout>()
  const rounds = new Set<Promise<void>>()
  const first = createLimiter({ concurrency: beginning.concurrency })
  let closing = false

  DBOS.setConfig({
    name: 'plinth',
    systemDatabasePool: pool,
    // A constant: with a version computed from the code, jobs of the previous release would never be taken up.
    applicationVersion: '1',
    executorID: executor,
    // For events, streams and schedules of its own, none of which jobs have: it would wake up a hundred times a second to
    // look for the first two, at twice the cost of everything else that goes on at rest.
    notificationCoalesceMs: hourMs,
    schedulerPollingIntervalMs: hourMs,
    logger: dbosLog(log),
    tracingEnabled: false,
  })

  const run = async (id: string, name: string, subject: string): Promise<void> => {
    const step: Step = (part, body, retry) =>
      DBOS.runStep(
        async () => {
          failpoint(`${name}.${part}:before`)
          const result = await body()
          failpoint(`${name}.${part}:after`)
          return result
        },
        {
          name: part,
          retriesAllowed: retry !== undefined,
          ...(retry ? { maxAttempts: retry.attempts, intervalSeconds: retry.seconds } : {}),
        },
      )
    let failure: string | undefined
    try {
      const handler = handlers[name]
      if (!handler) throw new Error(`No handler for job ${name}`)
      await handler({ id, name, subject }, step)
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error)
      log.error({ err: error, job: id, name, subject }, 'job failed')
    }
    await step('finish', () => outbox.finish(id, failure), { attempts: 8, seconds: 1 })
    log.info({ job: id, name, subject, failure }, 'job finished')
  }
  const workflow = DBOS.registerWorkflow(run, { name: 'job' })
  // The library makes its own tables, and does not expect that several programs begin at once.
  await oneAtATime(pool, launchQuietly)
  const ended = new AbortController()
  const seldomMs = executor === alone ? 60_000 : 5000
  const settling = askSeldomOnceTakenUp(ended.signal, seldomMs).catch((error: unknown) =>
    log.warn({ err: error }, 'it is not known whether all jobs were taken up'),
  )

  // The library lets no step start anything. What a step has accepted is a job of its own, and begins beside it.
  const outside = new AsyncResource('jobs')
  const start: Jobs['start'] = ({ id, name, subject }) =>
    outside.runInAsyncScope(async () => {
      await DBOS.startWorkflow(workflow, { workflowID: id })(id, name, subject)
    })
  return {
    start,
    async recover() {
      const waiting = await outbox.unfinished()
      await each('jobs to take up', waiting, ({ id }) => id, start)
      return waiting.length
    },
    async takeOver(alive) {
      const running = await DBOS.listWorkflows({ status: 'PENDING', loadInput: false })
      const others = new Set(running.flatMap(({ executorId }) => executorId ?? []))
      others.delete(executor)
      if (others.size === 0) return []
      const there = new Set(await alive([...others]))
      const gone = [...others].filter((one) => !there.has(one))
      if (gone.length === 0) return []
      await takeUpJobsOf(gone)
      return gone
    },
    every(seconds, name, body) {
      const round = async () => {
        let wait = seconds
        try {
          if (!(await body())) wait = Math.min(seconds, turnSeconds)
        } catch (error) {
          log.error({ err: error, schedule: name }, 'scheduled work failed')
        }
        if (closing) return
        const timer = setTimeout(() => {
          timers.delete(timer)
          void begin()
        }, wait * 1000)
        timers.add(timer)
      }
      const begin = () => {
        const running = round()
        rounds.add(running)
        return running.finally(() => rounds.delete(running))
      }
      void first(async () => {
        if (!closing)
          await Promise.race([begin(), delay(beginning.milliseconds, undefined, { ref: false })])
      })
    },
    async close(milliseconds = 5000) {
      closing = true
      for (const timer of timers) clearTimeout(timer)
      const timeout = delay(milliseconds, undefined, { ref: false })
      await Promise.race([Promise.all(rounds), timeout])
      ended.abort()
      await settling
      // What was registered above goes as well: the next one in this process has handlers of its own.
      await DBOS.shutdown({ workflowCompletionTimeoutMS: milliseconds, deregister: true })
    },
  }
}

const dbosLog = (log: Log) => ({
  info: (entry: unknown) => log.debug({ source: 'dbos' }, String(entry)),
  debug: (entry: unknown) => log.trace({ source: 'dbos' }, String(entry)),
  warn: (entry: unknown) => log.warn({ source: 'dbos' }, String(entry)),
  error: (entry: unknown) => log.error({ source: 'dbos' }, String(entry)),
})
