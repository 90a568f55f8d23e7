import { formatCents } from '#contract/billing/money'
import type { UsageDay, UsageItem } from '#contract/billing/usage'
import { Card } from '../../../ui/Card.tsx'
import { cx } from '../../../ui/cx.ts'
import { Badge } from '../../../ui/text/Badge.tsx'
import { barsOf, levelOf, shareOf, type Bar } from '../../../modules/usage/usage-figures.ts'
import {
  amountText,
  includedText,
  partName,
  priceText,
  words,
} from '../../../modules/usage/usage-words.ts'
import { monthNames } from '../../../ui/text/number.ts'

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

type DailyBarsProps = {
  bars: readonly Bar[]
  /** Parts in the order in which they are stacked. */
  parts: readonly string[]
  nameOf: (part: string) => string
  text: (amount: number) => string
  /** What the plan includes, where a day can be held against it. */
  limit?: number | undefined
  /** What is drawn. */
  label: string
}

const width = 600
const height = 96

/** A bar for each day, in parts. The numbers of a day are said where one points at it, and all of them are in the file. */
function DailyBars({ bars, parts, nameOf, text, limit, label }: DailyBarsProps) {
  const highest = Math.max(0, ...bars.map(({ total }) => total))
  // A limit far above would press the bars to the ground.
  const isLimitShown = limit !== undefined && limit > 0 && limit <= highest * 4
  const top = Math.max(highest, isLimitShown ? limit : 0, 1)
  // A cycle that has just begun is no single broad bar.
  const step = width / Math.max(28, bars.length)
  const high = (amount: number) => (amount / top) * (height - 4)
  const peak = bars.find(({ total }) => total === highest && total > 0)
  const said = peak
    ? `${label} by day: at most ${text(highest)} on ${dayText(peak.day)}`
    : `${label} by day: none`
  return (
    <figure className="usage-bars">
      <span className="usage-top t12 faint tn" aria-hidden="true">
        {highest > 0 ? text(top) : ''}
      </span>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a drawing of its own, not a file
        role="img"
        aria-label={said}
      >
        {bars.map(({ day, total, parts: own }, at) => {
          const place = { x: at * step + step * 0.12, width: step * 0.76 }
          let base = height - 1
          return (
            <g key={day}>
              <title>{titleOf(day, total, own, nameOf, text)}</title>
              <rect className="hit" x={at * step} width={step} y={0} height={height} />
              <rect {...place} className="ground" y={height - 1} height={1} />
              {own.map(({ name, usage }) => {
                const size = usage > 0 ? Math.max(1, high(usage)) : 0
                base -= size
                const colour = `c${(Math.max(0, parts.indexOf(name)) % 6) + 1}`
                return <rect key={name} {...place} className={colour} y={base} height={size} />
              })}
            </g>
          )
        })}
        {isLimitShown && (
          <line
            className="limit"
            x1={0}
            x2={width}
            y1={height - high(limit)}
            y2={height - high(limit)}
          />
        )}
      </svg>
      <figcaption className="t12 faint">
        <span>{bars[0] && dayText(bars[0].day)}</span>
        {isLimitShown && <span className="limit-key">Included</span>}
        <span>{bars.at(-1) && dayText(bars.at(-1)?.day ?? '')}</span>
      </figcaption>
      {parts.length > 1 && (
        <ul className="usage-keys t12 muted">
          {parts.map((part, at) => (
            <li key={part}>
              <i className={cx('key', `c${(at % 6) + 1}`)} />
              {nameOf(part)}
            </li>
          ))}
        </ul>
      )}
    </figure>
  )
}

function titleOf(
  day: string,
  total: number,
  parts: Bar['parts'],
  nameOf: DailyBarsProps['nameOf'],
  text: DailyBarsProps['text'],
): string {
  const lines = parts
    .filter(({ name }) => name !== '')
    .map(({ name, usage }) => `${nameOf(name)}: ${text(usage)}`)
  return [`${dayText(day)}: ${text(total)}`, ...lines].join('\n')
}

/** `12 Mar`, of a day or a time; in UTC, as cycles are. */
function dayText(at: string): string {
  const date = new Date(at)
  return `${date.getUTCDate()} ${monthNames[date.getUTCMonth()]}`
}

/** `10 Mar to 10 Apr 2026` */
export const cycleText = (start: string, end: string): string =>
  `${dayText(start)} to ${dayText(end)} ${new Date(end).getUTCFullYear()}`
