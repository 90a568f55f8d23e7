import {
  Braces,
  Download,
  Ellipsis,
  ListFilter,
  RefreshCw,
  Trash2,
  Undo2,
  ArrowDown,
  ArrowUp,
  ArrowUpDown,
  Columns3,
} from 'lucide-react'
import { useState } from 'react'
import type { EntityDetail, EntityColumn } from '#contract/database/pg-meta-shapes'
import { rowBulk } from '#contract/database/rows/row-bulk'
import type { TableLayout } from '#contract/database/table-views'
import type { RowSort } from '#contract/database/rows/table-rows'
import type { Impersonation } from '../../../modules/roles/impersonation.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { setPreference, usePreferences } from '../../../session/identity/preferences.ts'
import { RolePicker } from '../../../modules/roles/RolePicker.tsx'
import { useProject } from '../../../session/project/project.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import type { SelectionView } from '../../../ui/grid/grid-types.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Menu } from '../../../ui/floats/Menu.tsx'
import { MenuChoice, MenuLabel, MenuSeparator } from '../../../ui/floats/MenuItem.tsx'
import { OptionList } from '../../../ui/lists/OptionList.tsx'
import { Popover } from '../../../ui/floats/Popover.tsx'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { AskFilters } from './filters/AskFilters.tsx'
import { plainLayout, withHidden } from './grid/layout.ts'
import { ExportItems } from './ExportItems.tsx'
import { Filters } from './filters/Filters.tsx'
import type { Overlay } from './overlay.ts'
import { keepConditions } from './filters/known-conditions.ts'
import { type View, nextSort } from './search.ts'
import { restoration, type StagedOfTable } from './rows/staged-context.ts'
import type { TableModel } from './table-model.ts'
import { takeDeletion } from './rows/edits.ts'
import { UndoSave } from './rows/UndoSave.tsx'
import { ViewsMenu } from './ViewsMenu.tsx'

type Props = {
  projectRef: string
  entity: EntityDetail
  model: TableModel
  table: StagedOfTable
  readOnly: string | undefined
  readOnlySchema: string | undefined
  view: View
  onView: (next: Partial<View>) => void
  layout: TableLayout
  shown: readonly number[]
  onLayout: (layout: TableLayout) => void
  as: Impersonation | undefined
  onAs: (as: Impersonation | undefined) => void
  selection: SelectionView
  onOpen: (overlay: Overlay) => void
  onRefresh: () => void
  refreshing: boolean
}

/** Filters, order, columns, views, and as whom one looks; while rows are ticked, what can be done with those. */
export function TableBar(props: Props) {
  const { projectRef, entity, view, onView, selection, onRefresh, refreshing, as, onAs } = props
  if (selection.rows.length > 0) return <SelectionBar {...props} />
  return (
    <div className="bar table-bar">
      <Icon of={ListFilter} size="s" className="faint" />
      <Filters
        columns={entity.columns}
        filters={view.filters}
        onFilters={(filters) => {
          keepConditions(projectRef, filters)
          onView({ filters })
        }}
      />
      <AskFilters
        projectRef={projectRef}
        entity={entity}
        onFilters={(filters) => onView({ filters })}
      />
      <span className="grow" />
      <UndoSave {...props} />
      <SortButton columns={entity.columns} sort={view.sort} onSort={(sort) => onView({ sort })} />
      <span className="hide-narrow row">
        <ColumnsButton {...props} />
        <ViewsMenu {...props} />
        <RolePicker projectRef={projectRef} value={as} onChange={onAs} verb="View as" />
      </span>
      <IconButton
        icon={RefreshCw}
        iconSize="s"
        label="Refresh"
        busy={refreshing}
        onClick={onRefresh}
      />
      <MoreMenu {...props} />
    </div>
  )
}

/** The rows as a file, and when changes are saved. */
function MoreMenu({ projectRef, entity, view, as }: Props) {
  const atOnce = usePreferences(({ saveRowsAtOnce }) => saveRowsAtOnce)
  return (
    <Menu
      label="Rows"
      align="end"
      trigger={<IconButton icon={Ellipsis} iconSize="s" label="Export and saving" />}
    >
      <MenuLabel>{view.filters.length > 0 ? 'The rows that match' : 'All rows'}</MenuLabel>
      <ExportItems
        projectRef={projectRef}
        entity={entity}
        view={view}
        disabledReason={as && 'Exports run as postgres'}
      />
      <MenuSeparator />
      <MenuLabel>Changes</MenuLabel>
      <MenuChoice
        label="When changes are saved"
        options={[
          { value: 'collect', label: 'Collect changes, then apply' },
          { value: 'once', label: 'Save each change at once' },
        ]}
        value={atOnce ? 'once' : 'collect'}
        onChange={(value) => setPreference({ saveRowsAtOnce: value === 'once' })}
      />
    </Menu>
  )
}

function SelectionBar(props: Props) {
  const { projectRef, entity, selection, model, table, readOnly, onOpen, as } = props
  const why = useDenials(useProject(projectRef))
  const { rows } = selection
  const deleted = rows.filter((row) => model.rowStateAt(row) === 'deleted')
  const count = rows.length === 1 ? '1 row' : `${rows.length} rows`
  const isTable = entity.kind === 'table' || entity.kind === 'partitioned_table'
  const fixed = rows.every((row) => model.fixedBecause(row) !== undefined)
    ? model.fixedBecause(rows[0] ?? 0)
    : undefined
  const keys = rows.map((row) => model.keyAt(row)).filter((key) => key !== undefined)
  return (
    <div className="bar table-bar" role="toolbar" aria-label="Selected rows">
      <span className="med">{count} selected</span>
      {deleted.length < rows.length && (
        <Button
          icon={Trash2}
          variant="danger-quiet"
          disabledReason={readOnly ?? fixed}
          onClick={() => takeDeletion({ model, table }, rows)}
        >
          Delete {count}
        </Button>
      )}
      {deleted.length > 0 && (
        <Button icon={Undo2} onClick={() => table.change(restoration(model, deleted))}>
          Undo delete of {deleted.length === 1 ? '1 row' : `${deleted.length} rows`}
        </Button>
      )}
      <Button icon={Braces} onClick={() => onOpen({ kind: 'json', rows })}>
        JSON
      </Button>
      <Menu label="Export the selected rows" trigger={<Button icon={Download}>Export</Button>}>
        <ExportItems
          projectRef={projectRef}
          entity={entity}
          keys={keys}
          disabledReason={
            keys.length === 0 ? 'Without a primary key single rows cannot be exported' : undefined
          }
        />
      </Menu>
      <span className="muted hide-narrow">Nothing is deleted until you apply.</span>
      <span className="grow" />
      {rows.length === model.rowCount && isTable && (
        <Button
          variant="danger-quiet"
          disabledReason={
            props.readOnlySchema ?? why(rowBulk.remove) ?? (as && 'Rows are deleted as postgres')
          }
          onClick={() => onOpen({ kind: 'delete-matching' })}
        >
          {props.view.filters.length > 0 ? 'Delete all matching rows' : 'Delete all rows'}
        </Button>
      )}
    </div>
  )
}

type SortButtonProps = {
  columns: readonly EntityColumn[]
  sort: readonly RowSort[]
  onSort: (sort: RowSort[]) => void
}

/** The order of the rows. Choosing a column again turns it round, and a third time lets go of it. */
function SortButton({ columns, sort, onSort }: SortButtonProps) {
  const [open, setOpen] = useState(false)
  const [first] = sort
  return (
    <Popover
      label="Sort"
      align="end"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant="ghost" icon={first ? directionIcon(first) : ArrowUpDown}>
          <span className="words ell">{first ? first.column : 'Sort'}</span>
        </Button>
      }
    >
      <OptionList
        label="Sort by"
        search="Find a column"
        options={columns.flatMap(({ name }) => {
          const now = sort.find((part) => part.column === name)
          return {
            value: name,
            label: name,
            ...(now ? { end: <Icon of={directionIcon(now)} size="s" />, detail: words(now) } : {}),
          }
        })}
        value={first?.column}
        onSelect={(column) => onSort(nextSort(sort, column))}
      />
    </Popover>
  )
}

const directionIcon = ({ direction }: RowSort) => (direction === 'asc' ? ArrowUp : ArrowDown)
const words = ({ direction }: RowSort) => (direction === 'asc' ? 'ascending' : 'descending')

type ColumnsButtonProps = {
  entity: EntityDetail
  layout: TableLayout
  onLayout: (layout: TableLayout) => void
}

/** Which columns are shown; how wide and in which order is done in the grid itself. */
function ColumnsButton({ entity, layout, onLayout }: ColumnsButtonProps) {
  const [typed, setTyped] = useState('')
  const hidden = new Set(layout.hidden)
  const count = entity.columns.filter(({ name }) => hidden.has(name)).length
  const found = entity.columns.filter(({ name }) =>
    name.toLowerCase().includes(typed.trim().toLowerCase()),
  )
  return (
    <Popover
      label="Columns"
      align="end"
      trigger={
        <Button
          variant="ghost"
          icon={Columns3}
          aria-label={count > 0 ? `Columns, ${count} hidden` : 'Columns'}
        >
          {count > 0 ? `${count} hidden` : ''}
        </Button>
      }
    >
      <div className="views">
        <SearchField label="Find a column" value={typed} onChange={setTyped} width={240} />
        <ul className="view-list scroll">
          {found.map(({ id, name }) => (
            <li key={id}>
              <Checkbox
                label={<span className="mono t12">{name}</span>}
                checked={!hidden.has(name)}
                onChange={(event) => onLayout(withHidden(layout, name, !event.target.checked))}
              />
            </li>
          ))}
        </ul>
        <Button onClick={() => onLayout(plainLayout)}>Reset columns</Button>
      </div>
    </Popover>
  )
}
