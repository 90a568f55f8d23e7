import { dayText, type RestrictionCause } from '#contract/billing/quotas'

type Text = { subject: string; lines: string[]; link: { label: string; url: string } }
type Whose = { name: string; slug: string }

const special: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escape = (text: string) => text.replace(/[&<>"']/g, (sign) => special[sign] ?? sign)
/** Names are text in a mail, never markup. */
export const mailOf = (to: string, { subject, lines, link }: Text) => ({
  to,
  subject,
  text: [...lines, link.url].join('\n\n'),
  html: [
    ...lines.map((line) => `<p>${escape(line)}</p>`),
    `<p><a href="${escape(link.url)}">${escape(link.label)}</a></p>`,
  ].join('\n'),
})

/** What is near to what the plan includes, or beyond it and billed. */
export function noticeText(
  { name }: Whose,
  level: 'near' | 'exceeded',
  metrics: readonly string[],
  { isBilled, url }: { isBilled: boolean; url: string },
): Text {
  const list = metrics.join(', ')
  const link = { label: 'Open usage', url }
  if (level === 'exceeded')
    return {
      subject: `${name} has used all that its plan includes`,
      lines: [
        `${name} has used more than its plan includes in this billing cycle: ${list}.`,
        'What is beyond is charged with the next invoice. Turn on the spend cap to prevent that.',
      ],
      link,
    }
  return {
    subject: `${name} has used 80% of what its plan includes`,
    lines: [
      `${name} has used more than 80% of what its plan includes in this billing cycle: ${list}.`,
      isBilled
        ? 'Usage beyond the included amounts is charged with the next invoice.'
        : 'Beyond the included amounts a grace period begins, and afterwards its projects are restricted. Upgrade the plan or use less.',
    ],
    link,
  }
}

const reason: Record<RestrictionCause, string> = {
  quota: 'It has used more than its plan includes in this billing cycle.',
  overdue: 'It has invoices that are overdue.',
  operator: 'The operator of this platform has decided so.',
}
const remedy: Record<RestrictionCause, string> = {
  quota: 'Upgrade the plan, turn off the spend cap, or use less.',
  overdue: 'Pay the overdue invoices.',
  operator: 'Contact support.',
}
const allowed: Record<RestrictionCause, string> = {
  quota:
    'You can still sign in, and read, export and delete data. Nothing can be added or changed.',
  overdue: 'Data can be read but not changed.',
  operator: 'Data can be read but not changed.',
}

type Standing = {
  restriction_status: 'grace_period' | 'grace_period_over' | 'restricted' | null
  restriction_cause: RestrictionCause | null
  grace_period_end: Date | null
}

/** What has become of an organization. `restrictedAt` is when it will be restricted, where that is to come. */
export function standingText(
  { name }: Whose,
  { restriction_status: status, restriction_cause: cause, grace_period_end: end }: Standing,
  { restrictedAt, now, url }: { restrictedAt: Date | null; now: Date; url: string },
): Text {
  const link = { label: 'Open billing', url }
  if (status === null || cause === null)
    return {
      subject: `${name} is in good standing again`,
      lines: [`${name} is no longer restricted, and no grace period is running.`],
      link,
    }
  const until = restrictedAt
    ? [`Unless that changes, its projects are restricted on ${dayText(restrictedAt)} (UTC).`]
    : []
  switch (status) {
    case 'grace_period':
      return {
        subject: `${name}: grace period until ${end ? dayText(end) : 'further notice'}`,
        lines: [
          `A grace period has begun for ${name}${end ? `, which ends on ${dayText(end)} (UTC)` : ''}. ${reason[cause]}`,
          ...until,
          remedy[cause],
        ],
        link,
      }
    case 'grace_period_over':
      return {
        subject: `${name}: the grace period is over`,
        lines: [
          `There is no grace period for ${name} since ${dayText(end ?? now)} (UTC). ${reason[cause]}`,
          ...until,
          remedy[cause],
        ],
        link,
      }
    case 'restricted':
      return {
        subject: `The projects of ${name} are restricted`,
        lines: [
          `The projects of ${name} are restricted since ${dayText(now)} (UTC). ${reason[cause]}`,
          allowed[cause],
          remedy[cause],
        ],
        link,
      }
  }
}
