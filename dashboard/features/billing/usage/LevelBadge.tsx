import type { UsageItem } from '#contract/billing/usage'
import { Badge } from '../../../ui/text/Badge.tsx'
import { levelOf, shareOf } from '../../../modules/usage/usage-figures.ts'

/** How near a metric is to what the plan includes; nothing while it is far. */
export function LevelBadge({ item }: { item: UsageItem }) {
  const level = levelOf(item)
  const percent = `${Math.floor((shareOf(item) ?? 0) * 100)}%`
  if (level === 'beyond')
    return <Badge tone={item.capped ? 'danger' : 'warning'}>Over the included amount</Badge>
  if (level === 'near' || level === 'approaching')
    return <Badge tone="warning">{percent} used</Badge>
  return null
}
