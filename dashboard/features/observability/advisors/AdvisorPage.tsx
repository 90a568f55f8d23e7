import { useQuery } from '@tanstack/react-query'
import { RefreshCw, SearchX, ShieldCheck } from 'lucide-react'
import { lintLevels, type LintLevel } from '#contract/observability/lint-rule'
import { type LintCategory, categoryOf, lintRules } from '#contract/observability/lints'
import type { LintReport } from '#contract/observability/advisors'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { Table, type Column } from '../../../ui/lists/Table.tsx'
import { Tabs } from '../../../ui/navigation/Tabs.tsx'
import { Badge } from '../../../ui/text/Badge.tsx'
import { counted } from '../../../ui/text/number.ts'
import {
  subjectOf,
  type Finding,
  type RuleFindings,
  byRule,
  countOf,
  findingsOf,
  matches,
  levelWords,
} from './findings.ts'
import type { AdvisorFilter } from './search.ts'
import { FindingPanel, FindingCell } from './FindingPanel.tsx'
import { exceptionsQuery, lintsQuery } from './queries.ts'
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

type SkippedProps = { skipped: LintReport['skipped']; category: LintCategory }

/** Rules that could not be checked: silence about them would read as a clean result. */
function Skipped({ skipped, category }: SkippedProps) {
  const here = skipped.filter(({ name }) => categoryOf(name) === category)
  if (here.length === 0) return null
  return (
    <details className="page-tail advisor-skipped">
      <summary>
        {here.length === 1 ? 'One rule was not checked' : `${here.length} rules were not checked`}
      </summary>
      <ul>
        {here.map(({ name, reason }) => (
          <li key={name}>
            {lintRules[name].title}
            <span className="muted">: {reason}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}

const kindOf = ({ metadata }: Pick<Finding, 'metadata'>) =>
  typeof metadata['type'] === 'string' ? metadata['type'] : ''

/** What all findings of a rule have in common; undefined where they differ. */
function shared<T>({ all }: RuleFindings, of: (finding: Finding) => T): T | undefined {
  const [first, ...others] = new Set(all.map(of))
  return others.length === 0 ? first : undefined
}
const aboutOf = (rule: RuleFindings) =>
  shared(rule, subjectOf) ?? counted(rule.all.length, 'object')

/** `searched`: what was found in the findings of a rule is shown at once. */
const findingColumns = (
  onOpen: (finding: Finding) => void,
  searched: boolean,
): Column<RuleFindings>[] => [
  {
    id: 'finding',
    head: 'Finding',
    sortBy: ({ first }) => first.title,
    cell: (rule) => <FindingCell rule={rule} searched={searched} onOpen={onOpen} />,
  },
  {
    id: 'about',
    head: 'About',
    wideOnly: true,
    width: '240px',
    sortBy: aboutOf,
    cell: (rule) => (
      <span className="mono ell finding-about" title={aboutOf(rule)}>
        {aboutOf(rule)}
      </span>
    ),
  },
  {
    id: 'kind',
    head: 'Kind',
    wideOnly: true,
    width: '140px',
    sortBy: (rule) => shared(rule, kindOf) ?? '',
    cell: (rule) => {
      const scope = shared(rule, ({ ignored }) => ignored?.scope)
      return rule.first.ignored ? (
        <Badge>{scope === 'person' ? 'Ignored by you' : 'Ignored'}</Badge>
      ) : (
        <span className="muted">{shared(rule, kindOf)}</span>
      )
    },
  },
]
