import { health, type Health } from '#contract/operations/health'
import { UsageError, type Command } from './manage-command.ts'

const gb = (bytes: number) => `${(bytes / 1024 ** 3).toFixed(1)} GB`

/** In short, what the page of operators says at length. */
export function healthLines(of: Health): string[] {
  const { jobs, mails, backups } = of
  const failing = of.rounds.filter(({ failures }) => failures > 0).length + of.failing.length
  return [
    ...of.planes.map(
      ({ kind, place, state, version }) => `${kind}  ${place}  ${state}  ${version}`,
    ),
    `database  Postgres ${of.database.version}, ${gb(of.database.size_bytes)}, ${of.database.connections} of ${of.database.max_connections} connections`,
    `jobs  ${jobs.waiting} waiting, ${jobs.running} running, ${jobs.failed} failed in 24 hours`,
    `mails  ${mails.waiting} waiting, ${mails.given_up} not sent in 7 days`,
    `rounds  ${of.rounds.length} known, ${failing} failing`,
    ...of.disks.map(
      ({ place, free_bytes, size_bytes }) =>
        `disk  ${place}  ${gb(free_bytes)} free of ${gb(size_bytes)}`,
    ),
    ...of.certificates.map(
      ({ host, ends_at, why, order_failure }) =>
        `certificate  ${host}  ${ends_at === null ? (why ?? 'none') : `until ${ends_at}`}${order_failure === null ? '' : `, the next one could not be got: ${order_failure}`}`,
    ),
    `projects  ${of.projects.by_status.map(({ status, count }) => `${count} ${status}`).join(', ') || 'none'}`,
    ...(backups
      ? [
          `backups  ${backups.promised} projects, ${backups.late.length} late, ${backups.failed.length} failed, newest ${backups.newest_at ?? 'none'}`,
        ]
      : []),
    ...of.absent.map(({ part, why }) => `unknown  ${part}: ${why}`),
    ...of.open_alerts.map(({ message, since }) => `ALERT  ${message} (since ${since})`),
  ]
}

export const healthCommands: Readonly<Record<string, Command>> = {
  health: {
    takes: '',
    does: 'Prints the health of this installation; exits with 1 while an alert is open',
    max: 0,
    run: async (_, { ask, isLocal }) => {
      if (!isLocal)
        throw new UsageError(
          'only the local administrator can use health: remove --url, --token and --as',
        )
      const data = await ask('GET /platform/operator/health', health.get.returns)
      return { data, lines: healthLines(data), code: data.open_alerts.length > 0 ? 1 : 0 }
    },
  },
}
