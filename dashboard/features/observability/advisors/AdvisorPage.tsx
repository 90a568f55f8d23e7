import { useQuery } from '@tanstack/react-query'
import { RefreshCw, SearchX, ShieldCheck } from 'lucide-react'
import { lintLevels, type LintLevel } from '#contract/observability/lint-rule'
import type { LintCategory } from '#contract/observability/lints'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Page } from '../../../ui/Page.tsx'
import { PageHead } from '../../../ui/PageHead.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { Table } from '../../../ui/lists/Table.tsx'
import { Tabs } from '../../../ui/navigation/Tabs.tsx'
import { findingColumns } from './finding-columns.tsx'
import { FindingPanel } from './FindingPanel.tsx'
import {
  byRule,
  countOf,
  findingsOf,
  matches,
  type AdvisorFilter,
  type Finding,
} from './findings.ts'
import { levelWords } from './level-words.ts'
import { exceptionsQuery, lintsQuery } from './queries.ts'
import { Skipped } from './Skipped.tsx'
import '../../../ui/lists/list-page.css'
import './advisors.css'

type Props = {
  projectRef: string
  category: LintCategory
  filter: AdvisorFilter
  onFilter: (filter: AdvisorFilter) => void
}

const words = {
  SECURITY: {
    title: 'Security advisor',
    help: 'Finds what lets people see or do more than they should.',
  },
  PERFORMANCE: {
    title: 'Performance advisor',
    help: 'Finds what makes the database slower than it has to be.',
  },
} satisfies Record<LintCategory, { title: string; help: string }>

/** /project/{ref}/advisors/security and /performance */
export function AdvisorPage({ projectRef, category, filter, onFilter }: Props) {
  const report = useQuery(lintsQuery(projectRef))
  const aside = useQuery(exceptionsQuery(projectRef))
  const exceptions = aside.data?.exceptions
  const findings = report.data && exceptions && findingsOf(report.data.lints, exceptions, category)
  const counts = countOf(findings ?? [])
  const { q = '', show } = filter
  const worst = lintLevels.find((level) => counts[level] > 0) ?? 'ERROR'
  const level = lintLevels.find((known) => known === filter.level) ?? worst
  const ignoredOnly = show === 'ignored'
  const rows = findings?.filter(
    (finding) =>
      finding.level === level &&
      (finding.ignored !== undefined) === ignoredOnly &&
      matches(finding, q),
  )
  const open = findings?.find(({ cache_key }) => cache_key === filter.finding)
  const refresh = () => void Promise.all([report.refetch(), aside.refetch()])
  return (
    <Page>
      <PageHead
        {...words[category]}
        actions={
          <Button icon={RefreshCw} busy={report.isFetching} onClick={refresh}>
            Refresh
          </Button>
        }
      />
      <Tabs
        label="Levels"
        tabs={lintLevels.map((id) => ({
          id,
          label: levelWords[id].many,
          ...(findings ? { count: counts[id] } : {}),
        }))}
        value={level}
        onChange={(next) => onFilter({ ...filter, level: next })}
      />
      <div className="narrow-bar advisor-bar">
        <SearchField
          label="Find a finding"
          value={q}
          onChange={(next) => onFilter({ ...filter, q: next })}
        />
        <Segmented
          label="Which findings"
          value={ignoredOnly ? 'ignored' : 'open'}
          options={[
            { value: 'open', label: 'Open' },
            { value: 'ignored', label: 'Ignored' },
          ]}
          onChange={(next) =>
            onFilter({ ...filter, show: next === 'open' ? undefined : next, level })
          }
        />
      </div>
      {aside.error && !exceptions ? (
        <ErrorNote
          what="ignored findings"
          error={aside.error}
          onRetry={() => void aside.refetch()}
        />
      ) : (
        <div className="card">
          <Table
            key={`${category} ${level} ${q} ${show ?? ''}`}
            label={words[category].title}
            columns={findingColumns(
              ({ cache_key }) => onFilter({ ...filter, finding: cache_key }),
              q !== '',
            )}
            rows={rows && byRule(rows)}
            rowHeight={60}
            keyOf={({ first }) => first.name}
            error={report.error}
            onRetry={refresh}
            empty={
              <NothingHere
                level={level}
                ignoredOnly={ignoredOnly}
                searched={q !== ''}
                findings={findings ?? []}
                onClear={() => onFilter({ level })}
                onRefresh={refresh}
              />
            }
          />
        </div>
      )}
      {report.data && <Skipped skipped={report.data.skipped} category={category} />}
      <FindingPanel
        projectRef={projectRef}
        finding={open}
        onClose={() => onFilter({ ...filter, finding: undefined })}
      />
    </Page>
  )
}

type Nothing = {
  level: LintLevel
  ignoredOnly: boolean
  searched: boolean
  findings: readonly Finding[]
  onClear: () => void
  onRefresh: () => void
}

function NothingHere({ level, ignoredOnly, searched, findings, onClear, onRefresh }: Nothing) {
  const what = levelWords[level].many.toLowerCase()
  if (searched || ignoredOnly)
    return (
      <EmptyState
        icon={SearchX}
        title={ignoredOnly ? `No ignored ${what}` : 'Nothing found'}
        action={<Button onClick={onClear}>Show all open findings</Button>}
      >
        {ignoredOnly
          ? 'No finding of this level is ignored.'
          : 'No finding of this level contains these words.'}
      </EmptyState>
    )
  const ignored = findings.filter((one) => one.level === level && one.ignored).length
  return (
    <EmptyState
      icon={ShieldCheck}
      title={level === 'INFO' ? 'No notes' : `No ${what}`}
      action={<Button onClick={onRefresh}>Check again</Button>}
    >
      {ignored > 0
        ? `${ignored} of this level ${ignored === 1 ? 'is' : 'are'} ignored.`
        : 'The rules of this level found nothing in this project.'}
    </EmptyState>
  )
}
