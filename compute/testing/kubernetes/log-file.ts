import { readFile } from 'node:fs/promises'
import { isMissing } from '#kit/postgres/files'
import type { ServerLogEntry } from '#contract/observability/server-log'
import { entriesOf } from '../../local/logs/server-log-lines.ts'

/** What a server writes, entry by entry as CloudNativePG's program in the pod writes it: all values are text, and what is empty is left out. */
export function createLogFile(path: string) {
  let at = 0
  const content = () =>
    readFile(path).catch((error: unknown) => {
      if (isMissing(error)) return Buffer.alloc(0)
      throw error
    })
  return {
    /** What was written before is the log of another pod. */
    async skip(): Promise<void> {
      at = (await content()).length
    },
    /** Those since the last time. */
    async records(pod: string): Promise<string[]> {
      const all = await content()
      if (all.length < at) at = 0
      const end = all.lastIndexOf(10) + 1
      const text = all.toString('utf8', Math.min(at, end), end)
      at = Math.max(at, end)
      return entriesOf(text).map((entry) => lineOf(recordOf(entry), pod))
    },
  }
}

/** One line of a pod's log. */
export const lineOf = (record: Record<string, unknown>, pod: string): string =>
  JSON.stringify({
    level: 'info',
    ts: new Date().toISOString(),
    logger: 'postgres',
    msg: 'record',
    record,
    logging_pod: pod,
  })

function recordOf({ timestamp, severity, ...rest }: ServerLogEntry) {
  const logTime = new Date(Math.floor(timestamp / 1000)).toISOString()
  const all = {
    log_time: `${logTime.slice(0, 10)} ${logTime.slice(11, 23)} UTC`,
    ...rest,
    error_severity: severity,
    id: '',
  }
  const told = Object.entries(all).filter(([, value]) => value !== '' && value !== undefined)
  return Object.fromEntries(told.map(([name, value]) => [name, String(value)]))
}
