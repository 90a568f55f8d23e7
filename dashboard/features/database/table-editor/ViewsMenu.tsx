import { useQuery } from '@tanstack/react-query'
import { Bookmark, Check, Trash2, Users } from 'lucide-react'
import { useState } from 'react'
import { tableViews, type TableLayout, type TableView } from '#contract/database/table-views'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import { useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { Form } from '../../../ui/controls/Form.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Popover } from '../../../ui/floats/Popover.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { keepConditions } from './filters/known-conditions.ts'
import { tableViewsQuery } from './queries.ts'
import type { View } from './search.ts'

type Props = {
  projectRef: string
  entity: EntityDetail
  view: View
  onView: (next: Partial<View>) => void
  layout: TableLayout
  onLayout: (layout: TableLayout) => void
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Named ways to look at this table: filters, order of rows, and which columns are shown. */
export function ViewsMenu(props: Props) {
  const { projectRef, entity, view, layout } = props
  const [open, setOpen] = useState(false)
  const { data } = useQuery(tableViewsQuery(projectRef, entity.schema, entity.name))
  const views = data?.views ?? []
  const { filters, sort } = view
  const now = { filters, sort, hidden: layout.hidden, order: layout.order }
  const current = views.find(({ definition }) => same(definition, now))
  return (
    <Popover
      label="Saved views"
      align="end"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant="ghost" icon={Bookmark}>
          <span className="ell view-name">{current?.name ?? 'Views'}</span>
        </Button>
      }
    >
      <div className="views">
        <ViewList {...props} views={views} current={current} onChosen={() => setOpen(false)} />
        <SaveView {...props} definition={now} />
      </div>
    </Popover>
  )
}

type ListProps = Props & {
  views: readonly TableView[]
  current: TableView | undefined
  onChosen: () => void
}

function ViewList(props: ListProps) {
  const { projectRef, views, current, onView, layout, onLayout, onChosen } = props
  const remove = useCall(tableViews.remove, { changes: [tableViews.list] })
  if (views.length === 0)
    return <p className="muted t12">Save filters, order and columns under a name.</p>
  return (
    <ul className="view-list scroll">
      {views.map((one) => (
        <li key={one.id} className="row">
          <button
            type="button"
            className="mi grow"
            aria-pressed={one === current}
            onClick={() => {
              const { filters, sort, hidden, order } = one.definition
              // What somebody else has shared is asked about.
              if (one.own) keepConditions(projectRef, filters)
              onLayout({ ...layout, hidden, order })
              onView({ filters, sort })
              onChosen()
            }}
          >
            <span className="ell">{one.name}</span>
            {one.visibility === 'project' && (
              <span title="Shared with the project">
                <Icon of={Users} size="xs" />
                <span className="sr">Shared with the project</span>
              </span>
            )}
            {one === current && <Icon of={Check} size="s" />}
          </button>
          <IconButton
            icon={Trash2}
            iconSize="s"
            label={`Delete the view ${one.name}`}
            disabledReason={!one.own && 'Only its creator can delete it'}
            onClick={() => remove.mutate({ ref: projectRef, id: one.id })}
          />
        </li>
      ))}
    </ul>
  )
}

function SaveView({ projectRef, entity, definition }: Props & Pick<TableView, 'definition'>) {
  const [name, setName] = useState('')
  const [shared, setShared] = useState(false)
  const why = useDenials(useProject(projectRef))
  const put = useCall(tableViews.put, {
    changes: [tableViews.list],
    onSuccess: () => setName(''),
  })
  return (
    <Form
      className="form-stack"
      error={put.error?.message}
      pending={put.isPending}
      onSubmit={() =>
        name.trim() &&
        put.mutate({
          ref: projectRef,
          schema: entity.schema,
          table: entity.name,
          id: crypto.randomUUID(),
          name: name.trim(),
          visibility: shared ? 'project' : 'user',
          definition,
        })
      }
    >
      <TextField
        label="Save the current view as"
        autoComplete="off"
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Checkbox
        label="Share with the project"
        checked={shared}
        onChange={(event) => setShared(event.target.checked)}
      />
      <Button
        type="submit"
        disabled={!name.trim()}
        disabledReason={why(tableViews.put)}
        busy={put.isPending}
      >
        Save view
      </Button>
    </Form>
  )
}
