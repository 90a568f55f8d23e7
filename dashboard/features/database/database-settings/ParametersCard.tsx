import { useQuery } from '@tanstack/react-query'
import { SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import { offeredParameters } from '#contract/database/database-parameters'
import type { Parameter } from '#contract/database/database-server'
import { migrations } from '#contract/database/migrations'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/use-project.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { Table } from '../../../ui/lists/Table.tsx'
import { parameterColumns, type ParameterRow } from './parameter-columns.tsx'
import { ParameterPanel } from './ParameterPanel.tsx'
import { serverQuery } from './queries.ts'

type Props = { projectRef: string; search: string; onSearch: (search: string) => void }

const offered = new Map(offeredParameters.map((one) => [one.name.toLowerCase(), one]))

/** Postgres's own parameters: what a session gets, and who decided. */
export function ParametersCard({ projectRef, search, onSearch }: Props) {
  const query = useQuery(serverQuery(projectRef))
  const [open, setOpen] = useState<Parameter>()
  const why = useDenials(useProject(projectRef))(migrations.change)
  const words = search.toLowerCase()
  const rows = query.data?.parameters
    .map((parameter): ParameterRow => {
      const known = offered.get(parameter.name.toLowerCase())
      return { ...parameter, group: known?.group ?? 'Server', about: known?.about ?? '' }
    })
    .filter(({ name, about, group }) => `${name} ${about} ${group}`.toLowerCase().includes(words))
  return (
    <Card
      title="Postgres parameters"
      padded={false}
      end={<SearchField label="Find a parameter" value={search} onChange={onSearch} />}
    >
      <Table
        label="Postgres parameters"
        rowHeight={60}
        columns={parameterColumns(setOpen)}
        rows={rows}
        keyOf={({ name }) => name}
        error={query.error}
        onRetry={() => void query.refetch()}
        empty={
          <EmptyState
            icon={SlidersHorizontal}
            title="No parameter found"
            action={<Button onClick={() => onSearch('')}>Show all</Button>}
          >
            None has “{search}” in its name or description. Others can be set by SQL.
          </EmptyState>
        }
      />
      {open && query.data && (
        <ParameterPanel
          key={open.name}
          projectRef={projectRef}
          database={query.data.database}
          parameter={query.data.parameters.find(({ name }) => name === open.name) ?? open}
          about={offered.get(open.name.toLowerCase())?.about ?? ''}
          why={why}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Card>
  )
}
