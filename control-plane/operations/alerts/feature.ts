import { alerts as api, type Alert } from '#contract/operations/alerts'
import type { Health, HealthFindings } from '#contract/operations/health'
import { implement } from '#kit/http'
import type { Platform } from '../../platform.ts'
import type { QueueMail } from '../outgoing-mail/outgoing-mail.ts'
import { createAlerts } from './alerts.ts'
import { absentConditions } from './conditions.ts'
import { createAlertSettings, type AlertSettings } from './settings.ts'
import { alertStore, type AlertRow, type AlertStore, type DeliveryRow } from './store.ts'
import { sendMessage } from './webhook.ts'

type Needs = { look: () => Promise<HealthFindings>; queueMail: QueueMail }

/** What operators are told when a promise is broken. */
export function alertsFeature(platform: Platform, { look, queueMail }: Needs) {
  const { db, secrets, record, jobs, url, now, log } = platform
  const store = alertStore(db)
  const common = { store, secrets, queueMail, startJob: jobs.start, send: sendMessage, url, now }
  const alerts = createAlerts({ ...common, look, log })
  return {
    open: async (): Promise<Health['open_alerts']> =>
      (await store.open()).map(({ condition, subject, message, opened_at }) => ({
        condition,
        subject,
        message,
        since: opened_at.toISOString(),
      })),
    evaluate: alerts.evaluate,
    deliver: alerts.deliver,
    routes: alertRoutes({ store, settings: createAlertSettings({ ...common, record }), look }),
    rounds: [
      { seconds: 60, name: 'alerts of the installation', run: alerts.evaluate },
      { seconds: 10, name: 'alerts to the webhook', run: alerts.deliver },
    ],
  }
}

type Parts = { store: AlertStore; settings: AlertSettings; look: () => Promise<HealthFindings> }

const alertRoutes = ({ store, settings, look }: Parts) => [
  implement(api.list, async () => {
    const [open, past, findings] = await Promise.all([store.open(), store.past(), look()])
    const rows = [...open, ...past]
    const deliveries = await store.deliveriesOf(rows.map(({ id }) => id))
    return {
      alerts: rows.map((row) =>
        shape(
          row,
          deliveries.filter(({ alert_id }) => alert_id === row.id),
        ),
      ),
      absent: absentConditions(findings),
    }
  }),
  implement(api.settings, () => settings.get()),
  implement(api.setSettings, (input, caller, origin) => settings.set(caller, input, origin)),
  implement(api.newSecret, (_, caller, origin) => settings.newSecret(caller, origin)),
  implement(api.test, () => settings.test()),
]

const shape = (
  { id, condition, subject, message, opened_at, closed_at }: AlertRow,
  deliveries: readonly DeliveryRow[],
): Alert => ({
  id,
  condition,
  subject,
  message,
  opened_at: opened_at.toISOString(),
  closed_at: closed_at?.toISOString() ?? null,
  deliveries: deliveries.map(({ event, attempts, told_at, given_up_at, next_at, failure }) => ({
    event,
    attempts,
    told_at: told_at?.toISOString() ?? null,
    next_at: told_at || given_up_at ? null : next_at.toISOString(),
    failure,
  })),
})
