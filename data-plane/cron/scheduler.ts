import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Log } from '#kit/log'
import { cutOff } from '../projects/cancel.ts'
import type { Login, OpenProject } from '../projects/open-project.ts'
import {
  becomeScheduler,
  beginRun,
  endRun,
  enterRun,
  forgetRuns,
  listenForJobs,
  readJobs,
  readTimezone,
  settleJobs,
} from './job-store.ts'
import { runCommand } from './run-command.ts'
import { isTimezone, nextTick } from './schedule.ts'

const login = 'plinth_sql'
/** Who jobs can run as, and how they come in: each of these logins is that role and can be no other. */
const logins: Partial<Record<string, Login>> = {
  postgres: login,
  anon: 'authenticator_anon',
  authenticated: 'authenticator_authenticated',
  service_role: 'authenticator_service_role',
}
/** Runs of one project at once; others wait for them. */
const maxAtOnce = 5
/** A moment that is longer ago was missed, because the machine slept or its clock was set, and is not made up for. */
const lateMs = 60_000
/** How long it is waited for runs when it stops; then their connections are closed. */
const drainMs = 3000
const forgetMs = 3_600_000

export type CronTiming = {
  /** Milliseconds after which it looks at the clock and the jobs without being told. */
  look: number
  /** After which it tries again to be the one that runs jobs. */
  retry: number
}

export type SchedulerOptions = {
  project: OpenProject
  timing: CronTiming
  /** Milliseconds since 1970. */
  now: () => number
  /** How long runs are kept; undefined: not known at the moment. */
  runDays: () => number | undefined
  log: Log
}

type Due = {
  schedule: string
  next: number | undefined
  running: boolean
  waiting: number | undefined
}

/**
 * Runs the jobs of one project when they are due. Of several processes one does, whose session holds a lock of the database; that
 * a moment counts once is held by the database too (`beginRun`). A run of a job waits for the one before; of those that come due
 * meanwhile the last counts.
 */
export class Scheduler {
  readonly ended: Promise<void>
  private readonly options: SchedulerOptions
  private readonly release: () => void
  private readonly stopped = new AbortController()
  private readonly jobs = new Map<string, Due>()
  private readonly queue: { job: string; tick: number }[] = []
  private readonly running = new Set<Promise<void>>()
  private readonly clients = new Set<Client>()
  /** Jobs that somebody wants to be run now. */
  private readonly wanted = new Set<string>()
  private woken = new AbortController()
  private changed = true
  private timezone = 'UTC'
  private session: Client | undefined
  private lastNow = 0

  constructor(options: SchedulerOptions) {
    this.options = options
    const { project } = options
    this.release = project.hold()
    project.onClose(() => this.end())
    this.ended = this.run().finally(() => this.release())
  }

  async stop(): Promise<void> {
    this.end()
    await this.ended
  }

  private end(): void {
    this.stopped.abort()
    this.woken.abort()
  }

  private pool = () => this.options.project.pool(login)

  private wake(): void {
    this.woken.abort()
  }

  private async run(): Promise<void> {
    const { timing, log, project } = this.options
    const { signal } = this.stopped
    let nextForget = 0
    while (!signal.aborted) {
      let waitMs = timing.retry
      try {
        if (await this.lead()) {
          waitMs = await this.look()
          const days = this.options.runDays()
          if (days !== undefined && performance.now() >= nextForget) {
            await forgetRuns(this.pool(), days)
            nextForget = performance.now() + forgetMs
          }
        }
      } catch (error) {
        if (signal.aborted) break
        log.info({ err: error, ref: project.connection.ref }, 'Jobs cannot be run')
      }
      await this.sleep(waitMs)
    }
    await this.drain()
  }

  private async sleep(ms: number): Promise<void> {
    if (this.stopped.signal.aborted) return
    // An aborted wait is a call to look again.
    await delay(ms, undefined, { signal: this.woken.signal, ref: false }).catch(() => undefined)
    this.woken = new AbortController()
  }

  /** Whether this process runs the jobs. */
  private async lead(): Promise<boolean> {
    if (this.session) return true
    const { project, log } = this.options
    const { ref } = project.connection
    // Runs of before whose session broke: what settles the others would take them for those of a dead process.
    await Promise.all(this.running)
    const session = await project.dedicated(login)
    if (!(await becomeScheduler(session))) {
      await session.end()
      return false
    }
    this.session = session
    session.on('end', () => {
      if (this.session !== session) return
      this.session = undefined
      this.wake()
    })
    this.changed = true
    const stopped = await settleJobs(session, ref)
    if (stopped > 0) log.info({ ref, stopped }, 'Jobs that came with a copy were switched off')
    await listenForJobs(session, (job) => {
      if (job === undefined) this.changed = true
      else this.wanted.add(job)
      this.wake()
    })
    return true
  }

  /** Begins what is due; milliseconds until there may be more. */
  private async look(): Promise<number> {
    const { timing, now } = this.options
    const at = now()
    if (this.changed || at < this.lastNow) await this.read(at)
    this.lastNow = at
    for (const job of this.wanted) {
      const due = this.jobs.get(job)
      if (due) this.want(job, due, at)
    }
    this.wanted.clear()
    let earliest = at + timing.look
    for (const [job, due] of this.jobs) {
      if (due.next === undefined) continue
      if (due.next <= at) {
        const tick = due.next
        due.next = nextTick(due.schedule, at, this.timezone)
        if (at - tick < lateMs) this.want(job, due, tick)
      }
      earliest = Math.min(earliest, due.next ?? earliest)
    }
    this.begin()
    if (earliest - at >= timing.look) this.changed = true
    // A clock that has been set back meanwhile makes no long wait of a short one.
    return Math.min(Math.max(0, earliest - now()), timing.look)
  }

  private async read(at: number): Promise<void> {
    const { session } = this
    if (!session) return
    this.changed = false
    const timezone = await readTimezone(session)
    const isSame = timezone === this.timezone && at >= this.lastNow
    this.timezone = isTimezone(timezone) ? timezone : 'UTC'
    const found = await readJobs(session)
    const ids = new Set(found.map(({ id }) => id))
    for (const id of this.jobs.keys()) if (!ids.has(id)) this.jobs.delete(id)
    for (const { id, schedule } of found) {
      const known = this.jobs.get(id)
      if (known && isSame && known.schedule === schedule) continue
      const next = nextTick(schedule, at, this.timezone)
      this.jobs.set(id, { running: false, waiting: undefined, ...known, schedule, next })
    }
  }

  private want(job: string, due: Due, tick: number): void {
    if (due.running || due.waiting !== undefined) due.waiting = tick
    else {
      due.waiting = tick
      this.queue.push({ job, tick })
    }
  }

  private begin(): void {
    while (this.running.size < maxAtOnce && !this.stopped.signal.aborted) {
      const next = this.queue.shift()
      if (!next) return
      const due = this.jobs.get(next.job)
      if (!due) continue
      const tick = due.waiting ?? next.tick
      due.waiting = undefined
      due.running = true
      const done = this.carryOut(next.job, tick).finally(() => {
        this.running.delete(done)
        due.running = false
        if (due.waiting !== undefined) this.queue.push({ job: next.job, tick: due.waiting })
        this.begin()
      })
      this.running.add(done)
    }
  }

  private async carryOut(job: string, tick: number): Promise<void> {
    const { log, project } = this.options
    const { ref } = project.connection
    try {
      const run = await beginRun(this.pool(), job, tick)
      if (!run) return
      await endRun(this.pool(), run.id, await this.outcomeOf(run))
    } catch (error) {
      log.info({ err: error, ref, job }, 'What became of a job could not be noted')
    }
  }

  private async outcomeOf(run: { id: string; command: string; username: string }) {
    const as = logins[run.username]
    if (!as) return { status: 'failed', message: notThem(run.username) } as const
    let client: Client | undefined
    try {
      client = await this.options.project.dedicated(as)
      this.clients.add(client)
      await enterRun(client, this.pool(), run.id)
      return await runCommand(client, run.command)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      return { status: 'failed', message: `The job could not connect: ${why}` } as const
    } finally {
      if (client) this.clients.delete(client)
      await client?.end().catch(() => undefined)
    }
  }

  private async drain(): Promise<void> {
    const timer = setTimeout(() => {
      for (const client of this.clients) cutOff(client)
    }, drainMs)
    await Promise.all(this.running)
    clearTimeout(timer)
    await this.session?.end().catch(() => undefined)
  }
}

const notThem = (username: string): string =>
  `Jobs run as ${Object.keys(logins).join(', ')}; "${username}" is none of them`
