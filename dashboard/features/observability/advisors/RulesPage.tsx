import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import { useState } from 'react'
import { type LintException, advisors } from '#contract/observability/advisors'
import {
  categoryOf,
  lintNames,
  lintRules,
  type LintCategory,
  type LintName,
} from '#contract/observability/lints'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Button, buttonClass } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { Table } from '../../../ui/lists/Table.tsx'
import { messageOf, useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { toast } from '../../../ui/floats/toast.ts'
import { IgnoreDialog, changesForAll } from './IgnoreDialog.tsx'
import { levelWords } from './findings.ts'
import { exceptionsQuery, lintsQuery } from './queries.ts'
import '../../../ui/lists/list-page.css'
import './advisors.css'

type Props = {
  projectRef: string
  category: LintCategory
  search: string
  onSearch: (text: string) => void
}
type Row = {
  name: LintName
  off: LintException | undefined
  /** How often it found something; undefined until it is known. */
  found: number | undefined
}

const order = { ERROR: 0, WARN: 1, INFO: 2 }

/** /project/{ref}/advisors/rules/security and /performance: which rules are asked at all. */
export function RulesPage({ projectRef, category, search, onSearch }: Props) {
  const aside = useQuery(exceptionsQuery(projectRef))
  const report = useQuery(lintsQuery(projectRef))
  const [closing, setClosing] = useState<LintName>()
  const words = search.toLowerCase()
  const rows = aside.data && rowsOf(category, aside.data.exceptions)
  const shown = rows?.filter(({ name }) =>
    `${name} ${lintRules[name].title}`.toLowerCase().includes(words),
  )
  function rowsOf(of: LintCategory, exceptions: readonly LintException[]): Row[] {
    return lintNames
      .filter((name) => categoryOf(name) === of)
      .map((name) => ({
        name,
        off: exceptions.find((one) => one.lint_name === name && one.cache_key === null),
        found: report.data?.lints.filter((lint) => lint.name === name).length,
      }))
  }
  const isSecurity = category === 'SECURITY'
  return (
    <Page>
      <PageHead
        title={isSecurity ? 'Security rules' : 'Performance rules'}
        help="The advisor neither lists nor counts the findings of a rule that is off."
        actions={
          <Link
            className={buttonClass({})}
            to={
              isSecurity ? '/project/$ref/advisors/security' : '/project/$ref/advisors/performance'
            }
            params={{ ref: projectRef }}
          >
            Show findings
          </Link>
        }
      />
      <div className="narrow-bar">
        <SearchField label="Find a rule" value={search} onChange={onSearch} />
      </div>
      <div className="card">
        <Table
          key={`${category} ${search}`}
          label={isSecurity ? 'Security rules' : 'Performance rules'}
          rowHeight={60}
          rows={shown}
          keyOf={({ name }) => name}
          error={aside.error}
          onRetry={() => void aside.refetch()}
          empty={
            <EmptyState
              icon={SearchX}
              title="No rule found"
              action={<Button onClick={() => onSearch('')}>Show all</Button>}
            >
              No rule has these words in its name.
            </EmptyState>
          }
          columns={[
            {
              id: 'rule',
              head: 'Rule',
              sortBy: ({ name }) => lintRules[name].title,
              cell: ({ name }) => (
                <span className="two-lines">
                  <span className="ell">{lintRules[name].title}</span>
                  <span className="mono faint ell">{name}</span>
                </span>
              ),
            },
            {
              id: 'level',
              head: 'Level',
              width: '110px',
              wideOnly: true,
              sortBy: ({ name }) => order[lintRules[name].level],
              cell: ({ name }) => {
                const { one, tone } = levelWords[lintRules[name].level]
                return <Badge tone={tone}>{one}</Badge>
              },
            },
            {
              id: 'found',
              head: 'Findings',
              numeric: true,
              width: '100px',
              wideOnly: true,
              sortBy: ({ found, off }) => (off ? null : (found ?? null)),
              cell: ({ found, off }) =>
                (off ? undefined : found) ?? <span className="faint">–</span>,
            },
            {
              id: 'state',
              head: 'State',
              width: '260px',
              cell: ({ name, off }) => (
                <RuleState
                  projectRef={projectRef}
                  title={lintRules[name].title}
                  off={off}
                  onSwitchOff={() => setClosing(name)}
                />
              ),
            },
          ]}
        />
      </div>
      {closing && (
        <IgnoreDialog
          projectRef={projectRef}
          finding={{ name: closing, title: lintRules[closing].title }}
          onClose={() => setClosing(undefined)}
          onDone={() => setClosing(undefined)}
        />
      )}
    </Page>
  )
}

type RuleStateProps = {
  projectRef: string
  title: string
  off: LintException | undefined
  onSwitchOff: () => void
}

/** Whether a rule is on, for whom it is off and why, and the switch. */
function RuleState({ projectRef, title, off, onSwitchOff }: RuleStateProps) {
  const denial = useDenials(useProject(projectRef))(changesForAll)
  const remove = useCall(advisors.removeException, {
    changes: [advisors.exceptions],
    onError: (error) => toast.error(messageOf(error)),
  })
  return (
    <span className="rule-state">
      <span className="two-lines">
        <span>{off ? (off.scope === 'person' ? 'Off for you' : 'Off') : 'On'}</span>
        {off?.note && (
          <span className="ell muted t12" title={off.note}>
            {off.note}
          </span>
        )}
      </span>
      {off ? (
        <Button
          busy={remove.isPending}
          disabledReason={off.scope === 'project' && denial}
          aria-label={`Switch on: ${title}`}
          onClick={() => remove.mutate({ ref: projectRef, id: off.id })}
        >
          Switch on
        </Button>
      ) : (
        <Button aria-label={`Switch off: ${title}`} onClick={onSwitchOff}>
          Switch off
        </Button>
      )}
    </span>
  )
}
