import { formatCents } from '#contract/billing/money'
import type { UsageDay, UsageItem } from '#contract/billing/usage'
import { Card } from '../../../ui/Card.tsx'
import { Badge } from '../../../ui/text/Badge.tsx'
import { DailyBars } from './DailyBars.tsx'
import { barsOf, levelOf, shareOf } from '../../../modules/usage/usage-figures.ts'
import {
  amountText,
  includedText,
  partName,
  priceText,
  words,
} from '../../../modules/usage/usage-words.ts'

type Props = { item: UsageItem; days: readonly string[]; daily: readonly UsageDay[] }

/** Sizes and levels of a day can be held against what is included; what adds up only with its sum. */
const isLevel = ({ metric }: UsageItem) =>
  metric.endsWith('_SIZE') || metric === 'REALTIME_PEAK_CONNECTIONS'
/** Projects that are listed. */
const max = 5

/** One metric: what it counts, how much there was, by day and by project, and what it costs. */
export function MetricCard({ item, days, daily }: Props) {
  const { metric, unit, usage, overage, included, project_allocations: projects } = item
  const { name, help } = words[metric]
  const text = (amount: number) => amountText(unit, amount)
  const parts = item.breakdown.map((part) => part.name)
  const price = priceText(item)
  return (
    <div id={metric.toLowerCase()} className="usage-metric">
      <Card title={name} end={<LevelBadge item={item} />}>
        <p className="muted usage-help">{help}</p>
        <dl className="usage-figures">
          <Figure name="Used" value={text(usage)} />
          <Figure name="Included" value={includedText(item)} />
          {included !== null && overage !== null && (
            <Figure name="Beyond" value={overage > 0 ? text(overage) : 'None'} />
          )}
          {price !== undefined && <Figure name="Price beyond" value={price} />}
          {item.cost !== null && included !== null && (
            <Figure name="Cost" value={item.capped ? 'Not charged' : formatCents(item.cost)} />
          )}
        </dl>
        <DailyBars
          label={name}
          bars={barsOf(metric, days, daily, parts)}
          parts={parts.length > 0 ? parts : ['']}
          nameOf={partName}
          text={text}
          limit={isLevel(item) && included !== null ? included : undefined}
        />
        {projects.length > 1 && (
          <table className="tbl dense usage-projects" aria-label={`${name} by project`}>
            <tbody>
              {projects.slice(0, max).map((project) => (
                <tr key={project.ref}>
                  <td>{project.name}</td>
                  <td className="num">{text(project.usage)}</td>
                </tr>
              ))}
              {projects.length > max && (
                <tr>
                  <td className="muted">{projects.length - max} more</td>
                  <td className="num">
                    {text(projects.slice(max).reduce((sum, project) => sum + project.usage, 0))}
                  </td>
                </tr>
              )}
            </tbody>
          </table>
        )}
      </Card>
    </div>
  )
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt className="t12 muted">{name}</dt>
      <dd className="tn">{value}</dd>
    </div>
  )
}

/** How near a metric is to what the plan includes; nothing while it is far. */
function LevelBadge({ item }: { item: UsageItem }) {
  const level = levelOf(item)
  const percent = `${Math.floor((shareOf(item) ?? 0) * 100)}%`
  if (level === 'beyond')
    return <Badge tone={item.capped ? 'danger' : 'warning'}>Over the included amount</Badge>
  if (level === 'near' || level === 'approaching')
    return <Badge tone="warning">{percent} used</Badge>
  return null
}
