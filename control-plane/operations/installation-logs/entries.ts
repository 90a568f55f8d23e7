import type { InstallationEntry, InstallationLevel } from '#contract/operations/installation-logs'

/** As the programs write levels: the name of each number and of what lies up to the next one. */
const levels: readonly (readonly [number, InstallationLevel])[] = [
  [50, 'error'],
  [40, 'warn'],
  [30, 'info'],
]
const levelOf = (level: unknown): InstallationLevel =>
  typeof level === 'number' ? (levels.find(([from]) => level >= from)?.[1] ?? 'debug') : 'info'

const maxDetail = 8000

/** An entry of one line; undefined where the line is none, as when a crash has cut it off. */
export function entryOf(id: string, line: string): InstallationEntry | undefined {
  const found = parsed(line)
  if (!found) return undefined
  const { level, time, program, msg, pid: _pid, hostname: _hostname, ...rest } = found
  const at = typeof time === 'number' ? new Date(time) : undefined
  if (!at || Number.isNaN(at.getTime())) return undefined
  const detail = Object.keys(rest).length === 0 ? '' : JSON.stringify(rest, undefined, 2)
  return {
    id,
    timestamp: at.toISOString(),
    level: levelOf(level),
    program: typeof program === 'string' ? program : '',
    message: typeof msg === 'string' ? msg : '',
    detail: detail.length > maxDetail ? `${detail.slice(0, maxDetail)}…` : detail,
  }
}

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value))
      : undefined
  } catch {
    // No line of ours, or half of one.
    return undefined
  }
}
