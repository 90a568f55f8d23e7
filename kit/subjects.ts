import type { Log } from './log.ts'

/** A subject of a round that could not be looked after the last time. */
export type Failing = {
  /** What is done for each subject, such as `health of projects`. */
  round: string
  /** Such as a project's ref. */
  subject: string
  failure: string
  /** Since when, and how often in a row. */
  since: Date
  failures: number
  /** Until then it is left out. */
  nextAt: Date
}

export type EachSubject = <T>(
  round: string,
  subjects: readonly T[],
  idOf: (subject: T) => string,
  run: (subject: T) => Promise<unknown>,
  options?: { /** How many at a time; one unless told. */ width?: number },
) => Promise<void>

const firstWait = 5_000
const longestWait = 600_000

/**
 * Does the work of rounds for each subject by itself, so that one that fails holds up no other: it is left out for 5
 * seconds, then twice as long each time, up to 10 minutes. The log has the 1st, 2nd, 4th, 8th ... failure in a row and
 * the end of them; `failing` has all that go on.
 */
export function createSubjects(
  log: Log,
  /** Milliseconds that pass, however the clock is set meanwhile. */
  passed: () => number = () => performance.now(),
  now: () => number = Date.now,
) {
  /** `due`: when it has its next turn, by what passes. */
  const failing = new Map<string, { reported: Failing; due: number }>()

  function failed(round: string, subject: string, error: unknown): void {
    const key = `${round} ${subject}`
    const before = failing.get(key)?.reported
    const failures = (before?.failures ?? 0) + 1
    const wait = Math.min(firstWait * 2 ** (failures - 1), longestWait)
    const reported = {
      round,
      subject,
      failure: error instanceof Error ? error.message : String(error),
      since: before?.since ?? new Date(now()),
      failures,
      nextAt: new Date(now() + wait),
    }
    failing.set(key, { reported, due: passed() + wait })
    if (Number.isInteger(Math.log2(failures)))
      log.error({ err: error, round, subject, failures }, 'a round failed for one subject')
  }
  function succeeded(round: string, subject: string): void {
    const before = failing.get(`${round} ${subject}`)
    if (!before) return
    failing.delete(`${round} ${subject}`)
    const { failures } = before.reported
    log.info({ round, subject, failures }, 'a round succeeds again')
  }
  /** What is no subject any more is no failure either. */
  function forgetOthers(round: string, ids: ReadonlySet<string>): void {
    for (const [key, { reported }] of failing)
      if (reported.round === round && !ids.has(reported.subject)) failing.delete(key)
  }

  const each: EachSubject = async (round, subjects, idOf, run, { width = 1 } = {}) => {
    forgetOthers(round, new Set(subjects.map(idOf)))
    const waiting = subjects.filter((subject) => {
      const known = failing.get(`${round} ${idOf(subject)}`)
      return known === undefined || known.due <= passed()
    })
    const worker = async () => {
      for (let subject = waiting.shift(); subject !== undefined; subject = waiting.shift()) {
        try {
          await run(subject)
          succeeded(round, idOf(subject))
        } catch (error) {
          failed(round, idOf(subject), error)
        }
      }
    }
    await Promise.all(Array.from({ length: width }, worker))
  }
  return {
    each,
    failing: (): Failing[] => [...failing.values()].map(({ reported }) => reported),
  }
}
export type Subjects = ReturnType<typeof createSubjects>
