import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate, useSearch } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useMemo, useState, type ReactNode } from 'react'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { Table } from '../../../ui/lists/Table.tsx'
import { protection } from '../protected-schemas.ts'
import type { Choice, Place, Resource, Texts } from './resource.tsx'
import { SchemaSelect } from '../SchemaSelect.tsx'
import { useReview } from '../ReviewChange.tsx'
import '../../../ui/lists/list-page.css'
import '../../../ui/lists/objects.css'
import { textParams } from '../../../session/search-params.ts'

const project = getRouteApi('/_app/project/$ref')
const nothing = () => undefined

/** A page of database/ that lists objects: what its description says, in the place and way that all of them share. */
export function ObjectsPage<Row, More, Data>({ of }: { of: Resource<Row, More, Data> }) {
  const { ref: projectRef } = project.useParams()
  // Each route lets only texts into its search.
  const search: Texts = useSearch({ strict: false })
  const navigate = useNavigate()
  const onSearch = (next: Texts) =>
    void navigate({ to: '.', search: textParams(...Object.keys(next))(next), replace: true })
  const { schema = 'public' } = search
  const { data, error, refetch } = useQuery(of.query(projectRef, schema))
  const { rowsOf, useMore = nothing } = of
  const rows = useMemo(() => data && rowsOf(data, schema), [rowsOf, data, schema])
  // A description leaves it out only where there is nothing more.
  const more = useMore(projectRef, rows) as More
  const [panel, setPanel] = useState<{ show: (place: Place<Row, More>) => ReactNode }>()
  const { ask, dialog } = useReview(projectRef, ...of.forgets)
  const why = useDenials(useProject(projectRef))
  const locked = of.within === 'schema' ? protection(schema) : undefined
  const denied = why(of.needs) ?? of.refusal?.(more) ?? locked
  const open: Place<Row, More>['open'] = (show) => setPanel({ show })
  const found = search[of.find.name] ?? ''
  const made = of.create
  const place: Place<Row, More> = {
    of,
    projectRef,
    schema,
    search,
    onSearch,
    text: found.trim().toLowerCase(),
    rows,
    more,
    why,
    locked,
    denied,
    create: made && (
      <Button
        variant="primary"
        icon={Plus}
        disabledReason={denied}
        onClick={() => open(made.panel)}
      >
        {made.label}
      </Button>
    ),
    ask,
    open,
    close: () => setPanel(undefined),
  }
  const searchField = (
    <SearchField
      label={of.find.label}
      value={found}
      onChange={(next) => onSearch({ ...search, [of.find.name]: next })}
    />
  )
  const actions = of.actions ? of.actions(place) : place.create
  // A search field that would be alone in its bar is beside the title, and not there while there is nothing to search.
  const bare = of.within === 'database' && !of.choices && !of.tabs
  return (
    <Page>
      <PageHead
        title={of.title}
        help={of.help}
        actions={
          bare
            ? rows?.length !== 0 && (
                <>
                  {searchField}
                  {actions}
                </>
              )
            : actions
        }
      />
      {of.above?.(place)}
      {!bare && (
        <div className="object-bar">
          {of.tabs?.(place)}
          {of.within === 'schema' && (
            <SchemaSelect
              projectRef={projectRef}
              schema={schema}
              onSchema={(next) => onSearch({ ...search, schema: next })}
            />
          )}
          {searchField}
          {of.choices?.map((choice) => (
            <ChoiceField key={choice.name} {...{ choice, search, onSearch }} />
          ))}
          {locked && <p className="help">{locked}</p>}
        </div>
      )}
      <div className="card">
        <Table
          label={of.label ?? of.title}
          columns={of.columns(place)}
          rows={rows && of.narrow(rows, place)}
          keyOf={of.keyOf}
          rowHeight={of.rowHeight ?? 40}
          error={error}
          onRetry={() => void refetch()}
          empty={of.empty(place)}
        />
      </div>
      {of.below?.(place)}
      {panel?.show(place)}
      {dialog}
    </Page>
  )
}

type ChoiceProps = { choice: Choice; search: Texts; onSearch: (search: Texts) => void }

/** A few ways are seen at once, many are chosen from a list. */
function ChoiceField({ choice: { name, label, options }, search, onSearch }: ChoiceProps) {
  const shared = {
    label,
    options,
    value: search[name] ?? 'all',
    onChange: (next: string) => onSearch({ ...search, [name]: next === 'all' ? undefined : next }),
  }
  return options.length <= 5 ? (
    <Segmented {...shared} />
  ) : (
    <div className="narrow-select">
      <Select size="tool" {...shared} />
    </div>
  )
}
