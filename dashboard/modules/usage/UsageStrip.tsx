import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { usage as api } from '#contract/billing/usage'
import type { UsageItem } from '#contract/billing/usage'
import { useDenials } from '../../session/organization/permissions.ts'
import { Card } from '../../ui/Card.tsx'
import { Meter } from '../../ui/Meter.tsx'
import { usageQuery } from './usage-queries.ts'
import { levelOf, shareOf, tones } from './usage-figures.ts'
import { amountText, includedText, words } from './usage-words.ts'
import './usage-strip.css'

/** Metrics that are shown. */
const most = 3

/** The metrics that have come nearest to what the plan includes, nearest first; none that were not used. */
export const nearest = (items: readonly UsageItem[]): UsageItem[] =>
  items
    .filter((item) => (shareOf(item) ?? 0) > 0)
    .toSorted((a, b) => (shareOf(b) ?? 0) - (shareOf(a) ?? 0))
    .slice(0, most)

/** How much of the plan an organization has used in this cycle, for whoever may see that; it leads to the usage page. */
export function UsageStrip({ slug }: { slug: string }) {
  const denied = useDenials({ organizationSlug: slug })(api.get)
  const { data } = useQuery({ ...usageQuery({ slug }), enabled: denied === undefined })
  const shown = data ? nearest(data.items) : []
  if (shown.length === 0) return null
  return (
    <section className="usage-strip" aria-label="Usage in this billing cycle">
      <Card
        title="Usage in this billing cycle"
        end={
          <Link className="link" to="/org/$slug/usage" params={{ slug }}>
            View usage
          </Link>
        }
      >
        <ul>
          {shown.map((item) => {
            const percent = (shareOf(item) ?? 0) * 100
            const { name } = words[item.metric]
            return (
              <li key={item.metric}>
                <span className="t12">
                  <span>{name}</span>
                  <span className="muted tn">{Math.floor(percent)}%</span>
                </span>
                <Meter
                  percent={percent}
                  tone={tones[levelOf(item)]}
                  label={`${name}: ${Math.floor(percent)}% of the included amount`}
                />
                <span className="t12 muted tn">
                  {amountText(item.unit, item.usage)} of {includedText(item)}
                </span>
              </li>
            )
          })}
        </ul>
      </Card>
    </section>
  )
}
