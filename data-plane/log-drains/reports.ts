import { randomUUID } from 'node:crypto'
import type { LogDrainReport } from '#contract/observability/log-drain-shapes'
import type { Log } from '#kit/log'
import { createRecord, type DrainRecord } from './record.ts'

/** Reports of one call. */
const most = 1000

type Options = {
  /** Rejects when nobody takes them: they are said again. */
  send: (reports: LogDrainReport[]) => Promise<void>
  /** Milliseconds until changes are told. */
  everyMs: number
  /** Whether there is such a drain; what is told of one that is gone is forgotten. */
  isKnown: (token: string) => boolean
  now: () => number
  log: Log
}

/** What became of all drains since this process began, told now and then when something has changed. */
export function createReports({ send, everyMs, isKnown, now, log }: Options) {
  const start = randomUUID()
  const records = new Map<string, DrainRecord>()
  let timer: NodeJS.Timeout | undefined
  let closed = false

  async function tell(): Promise<void> {
    const untold = [...records.values()].map((record) => record.untold())
    const reports = untold.flatMap((each) => each.reports)
    try {
      for (let at = 0; at < reports.length; at += most) await send(reports.slice(at, at + most))
      for (const { wasTold } of untold) wasTold()
    } catch (error) {
      log.info({ err: error }, 'What became of log drains waits: nobody takes it')
      later()
    }
    for (const [token, record] of records)
      if (!isKnown(token) && record.isTold()) records.delete(token)
  }
  function later(): void {
    if (closed) return
    timer ??= setTimeout(() => {
      timer = undefined
      void tell()
    }, everyMs).unref()
  }

  return {
    of(token: string): DrainRecord {
      const record = records.get(token) ?? createRecord({ token, start, now })
      records.set(token, record)
      return record
    },
    /** Something has changed. */
    later,
    async close(): Promise<void> {
      closed = true
      clearTimeout(timer)
      await tell()
    },
  }
}
