import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ChartNoAxesColumn, Download } from 'lucide-react'
import { formatCents } from '#contract/billing/money'
import {
  usageUnits,
  type OrganizationUsage,
  type UsageDay,
  type UsageItem,
} from '#contract/billing/usage'
import { messageOf } from '../../../api/client.ts'
import { amountText, includedText, words } from '../../../modules/usage/usage-words.ts'
import { dayOf } from '../../../session/organization/billing-banners.ts'
import { useOrganization } from '../../../session/organization/organizations.ts'
import { Card } from '../../../ui/Card.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Alert } from '../../../ui/Alert.tsx'
import { Table, type Column } from '../../../ui/lists/Table.tsx'
import { Meter } from '../../../ui/Meter.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { saveFile } from '../../../ui/save-file.ts'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { cycleText, MetricCard } from './MetricCard.tsx'
import { dailyQuery, usageQuery, type Asked } from '../../../modules/usage/usage-queries.ts'
import {
  costOf,
  csvRows,
  daysOf,
  levelOf,
  shareOf,
  tones,
} from '../../../modules/usage/usage-figures.ts'
import './usage.css'

/** What writes such files is loaded for the first one. */
async function download(
  slug: string,
  usage: OrganizationUsage | undefined,
  days: readonly UsageDay[] = [],
): Promise<void> {
  const { csvText } = await import('../../../ui/csv.ts')
  const text = csvText(csvRows(days, (metric) => usageUnits[metric]))
  saveFile(`usage-${slug}-${usage?.start.slice(0, 10) ?? ''}.csv`, text, 'text/csv')
}

type Choice = Pick<Asked, 'cycle' | 'project'>
type Props = { slug: string; choice: Choice; onChoice: (choice: Choice) => void }

/** /org/{slug}/usage: what the projects of an organization use in a billing cycle. */
export function UsagePage({ slug, choice, onChoice }: Props) {
  const organization = useOrganization(slug)
  const asked = { slug, ...choice }
  const usage = useQuery(usageQuery(asked))
  const daily = useQuery(dailyQuery(asked))
  const { data } = usage
  return (
    <Page>
      <PageHead
        title="Usage"
        help={`What the projects of ${organization.name} used in a billing cycle, some minutes ago. Days and cycles are in UTC.`}
        actions={
          <Button
            icon={Download}
            disabled={!data || !daily.data}
            onClick={() => {
              download(slug, data, daily.data?.days).catch((error: unknown) =>
                toast.error(messageOf(error)),
              )
            }}
          >
            Download CSV
          </Button>
        }
      />
      {usage.error && !data && (
        <ErrorNote what="Usage" error={usage.error} onRetry={() => void usage.refetch()} />
      )}
      {usage.isPending && <Skeleton width="60%" />}
      {data && (
        <div className="usage">
          <Choices usage={data} choice={choice} onChoice={onChoice} />
          <CostNote slug={slug} usage={data} />
          {daily.error && (
            <ErrorNote what="Days" error={daily.error} onRetry={() => void daily.refetch()} />
          )}
          <Shown usage={data} daily={daily.data?.days ?? []} />
        </div>
      )}
    </Page>
  )
}

const allProjects = 'all'

function Choices({ usage, choice, onChoice }: { usage: OrganizationUsage } & Omit<Props, 'slug'>) {
  const { cycles, projects } = usage
  return (
    <div className="usage-choices">
      <Select
        label="Billing cycle"
        size="tool"
        value={usage.start}
        options={cycles.map(({ start, end, is_current }) => ({
          value: start,
          label: cycleText(start, end),
          detail: is_current ? 'current' : undefined,
        }))}
        onChange={(start) =>
          onChoice({ ...choice, cycle: start === cycles[0]?.start ? undefined : start })
        }
      />
      <Select
        label="Project"
        size="tool"
        value={choice.project ?? allProjects}
        options={[
          { value: allProjects, label: 'All projects' },
          ...projects.map(({ ref, name }) => ({ value: ref, label: name, detail: ref })),
        ]}
        onChange={(ref) => onChoice({ ...choice, project: ref === allProjects ? undefined : ref })}
      />
    </div>
  )
}

/** What becomes of use beyond the plan. */
function CostNote({
  slug,
  usage: { plan, tier, usage_billing_enabled },
}: {
  slug: string
  usage: OrganizationUsage
}) {
  const { exceeds_usage_limits: exceeds, restriction_data: data } = useOrganization(slug)
  const text =
    tier === 'tier_free'
      ? 'The Free plan is never charged for usage.'
      : usage_billing_enabled
        ? 'Usage beyond the included amounts is charged with the next invoice.'
        : 'The spend cap is on: usage beyond the included amounts is not charged. Compute and add-ons are.'
  return (
    <Alert
      variant={exceeds ? 'warning' : 'info'}
      title={exceeds ? 'Exceeding usage limits' : `${plan.name} plan`}
      action={
        <a className="btn" href={`/org/${slug}/billing#cost`}>
          Cost control
        </a>
      }
    >
      {exceeds && exceededText(data?.grace_period_end)}
      {text}
    </Alert>
  )
}

/** `end` is when its grace period ends, or has ended. */
function exceededText(end: string | undefined): string {
  const until = end === undefined ? '' : `The grace period ends on ${dayOf(end)}. `
  const past = end === undefined ? '' : `The grace period ended on ${dayOf(end)}. `
  return `More is used in this billing cycle than the plan includes. ${
    end !== undefined && Date.parse(end) > Date.now() ? until : past
  }Upgrade the plan or use less. `
}

type ShownProps = { usage: OrganizationUsage; daily: Parameters<typeof csvRows>[0] }

function Shown({ usage, daily }: ShownProps) {
  // Whoever drains no logs is told nothing of them.
  const items = usage.items.filter((item) => item.usage > 0 || !item.metric.startsWith('LOG_DRAIN'))
  const [now] = useState(() => new Date())
  if (items.every((item) => item.usage === 0))
    return (
      <EmptyState icon={ChartNoAxesColumn} title="No usage in this billing cycle">
        Figures appear here some minutes after the projects are used.
      </EmptyState>
    )
  const days = daysOf(usage, now)
  return (
    <>
      <UsageSummary items={items} />
      <p className="t12 muted">
        {usage.not_measured.includes('cached_egress') &&
          'Nothing is cached in front of Storage on this installation, so cached egress is 0.'}
      </p>
      <div className="usage-cards">
        {items.map((item) => (
          <MetricCard key={item.metric} item={item} days={days} daily={daily} />
        ))}
      </div>
    </>
  )
}

/** Everything at a glance: how much is used of what is included, and what the rest costs. */
function UsageSummary({ items }: { items: readonly UsageItem[] }) {
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
