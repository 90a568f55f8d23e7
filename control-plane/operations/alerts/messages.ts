import { conditions } from '#contract/operations/alerts'
import type { AlertRow, Event } from './store.ts'

/** What became of one alert. */
export type News = { event: Event; alert: AlertRow }

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** One mail for everything that one look has found: a hundred projects have one cause. */
export function mailOf(to: string, news: readonly News[], url: string) {
  const opened = news.filter(({ event }) => event === 'opened')
  const closed = news.filter(({ event }) => event === 'closed')
  const [first] = [...opened, ...closed]
  const single =
    news.length === 1 && first
      ? `${first.event === 'opened' ? 'Alert' : 'Resolved'}: ${first.alert.message}`
      : `${opened.length} alerts, ${closed.length} resolved`
  const part = (title: string, list: readonly News[]) =>
    list.length === 0 ? [] : [title, ...list.map(({ alert }) => `- ${alert.message}`), '']
  const lines = [
    ...part('Alerts:', opened),
    ...part('Resolved:', closed),
    `All alerts: ${url}/operator/alerts`,
  ]
  return mail(to, single, lines)
}

export const testMail = (to: string, url: string) =>
  mail(to, 'Test of alerts', [
    'An operator of this installation has sent this test. Alerts arrive here.',
    '',
    `Settings: ${url}/operator/alerts`,
  ])

function mail(to: string, subject: string, lines: readonly string[]) {
  const text = lines.join('\n')
  const short = subject.length > 150 ? `${subject.slice(0, 149)}…` : subject
  // A line break in a subject would be a header of its own.
  const safe = short.replaceAll(/\s+/g, ' ')
  return { to, subject: `[Plinth] ${safe}`, text, html: `<pre>${escaped(text)}</pre>` }
}

/** The body of a message to the webhook, in the shape that Standard Webhooks recommend. */
export const payloadOf = ({ event, alert }: News, url: string, at: Date): string =>
  JSON.stringify({
    type: `alert.${event}`,
    timestamp: at.toISOString(),
    data: {
      id: alert.id,
      condition: alert.condition,
      description: conditions[alert.condition],
      subject: alert.subject,
      message: alert.message,
      opened_at: alert.opened_at.toISOString(),
      closed_at: alert.closed_at?.toISOString() ?? null,
      url: `${url}/operator/alerts`,
    },
  })

export const testPayload = (url: string, at: Date): string =>
  JSON.stringify({
    type: 'alert.test',
    timestamp: at.toISOString(),
    data: { message: 'A test of alerts', url: `${url}/operator/alerts` },
  })
