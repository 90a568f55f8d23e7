import { formatCents } from '#contract/billing/money'
import type { UsageItem } from '#contract/billing/usage'
import { Card } from '../../../ui/Card.tsx'
import { Meter } from '../../../ui/Meter.tsx'
import { Table, type Column } from '../../../ui/lists/Table.tsx'
import { costOf, levelOf, shareOf, tones } from '../../../modules/usage/usage-figures.ts'
import { amountText, includedText, words } from '../../../modules/usage/usage-words.ts'

/** Everything at a glance: how much is used of what is included, and what the rest costs. */
export function UsageSummary({ items }: { items: readonly UsageItem[] }) {
  const cost = costOf(items)
  return (
    <Card
      title="Summary"
      padded={false}
      end={cost !== null && <span className="tn">{formatCents(cost)} beyond the plan</span>}
    >
      <Table
        label="Usage summary"
        rowHeight={40}
        columns={columns}
        rows={items}
        keyOf={({ metric }) => metric}
        empty={null}
      />
    </Card>
  )
}

const columns: Column<UsageItem>[] = [
  {
    id: 'metric',
    head: 'Metric',
    cell: ({ metric }) => <a href={`#${metric.toLowerCase()}`}>{words[metric].name}</a>,
  },
  {
    id: 'used',
    head: 'Used',
    numeric: true,
    width: '120px',
    cell: ({ unit, usage }) => amountText(unit, usage),
  },
  { id: 'included', head: 'Included', wideOnly: true, width: '160px', cell: includedText },
  {
    id: 'share',
    head: 'Of the included amount',
    width: '26%',
    wideOnly: true,
    cell: (item) => {
      const share = shareOf(item)
      if (share === undefined) return <span className="faint">-</span>
      const percent = share * 100
      return (
        <div className="usage-share">
          <div className="usage-meter">
            <Meter
              percent={percent}
              tone={tones[levelOf(item)]}
              label={`${words[item.metric].name}: ${Math.round(percent)}% of the included amount`}
            />
          </div>
          <span className="t12 muted tn">{Math.floor(percent)}%</span>
        </div>
      )
    },
  },
  {
    id: 'cost',
    head: 'Cost',
    numeric: true,
    width: '110px',
    cell: ({ included, cost, capped, overage }) =>
      included === null || cost === null ? (
        <span className="faint">-</span>
      ) : capped && (overage ?? 0) > 0 ? (
        'Not charged'
      ) : (
        formatCents(cost)
      ),
  },
]
