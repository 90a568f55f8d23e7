import type { LogDrainOrder, LogDrainReport } from '#contract/observability/log-drain-shapes'
import type { Log } from '#kit/log'
import { withoutSecrets, wholeConfig } from './config.ts'
import type { DrainReportStore } from './reports-store.ts'
import type { Sealing } from './sealing.ts'
import type { OrderRow } from './sending-store.ts'

type Deps = {
  sending: () => Promise<OrderRow[]>
  reports: DrainReportStore
  sealing: Sealing
  now: () => Date
  log: Log
}

/** What the data planes are told of drains, and what they say of them. */
export const createSendingDrains = ({ sending, reports, sealing, now, log }: Deps) => ({
  async orders(): Promise<LogDrainOrder[]> {
    return (await sending()).flatMap((row): LogDrainOrder[] => {
      const { token, type, revision, since, ref, organization_id: id } = row
      try {
        return [
          {
            token,
            scope: ref === null ? { of: 'organization', id: Number(id) } : { of: 'project', ref },
            type,
            config: wholeConfig(sealing.open(row)),
            revision,
            since: since.getTime(),
          },
        ]
      } catch (err) {
        // One that cannot be read must not keep the others from being sent.
        log.error({ err, drain: token }, 'The secrets of a log drain cannot be read')
        return []
      }
    })
  },

  /** Of what is said twice in one message, the last counts. */
  async take(said: readonly LogDrainReport[]): Promise<number> {
    const last = new Map(
      said.map((report) => [`${report.token} ${report.start} ${report.month}`, report]),
    )
    const rows = new Map(
      (await reports.byTokens([...new Set(said.map(({ token }) => token))])).map((row) => [
        row.token,
        row,
      ]),
    )
    const known = [...last.values()].flatMap((report) => {
      const row = rows.get(report.token)
      if (!row) return []
      const error = report.last_error
      return [
        {
          ...report,
          drain_id: row.id,
          last_error: error && withoutSecrets(error, sealing.open(row)).slice(0, 500),
        },
      ]
    })
    await reports.keep(known, now())
    return known.length
  },
})
