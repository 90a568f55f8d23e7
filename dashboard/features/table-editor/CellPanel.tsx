import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { EntityDetail } from '#contract/pg-meta-shapes'
import { tableRows } from '#contract/table-rows'
import { databaseQuery } from '../../session/database.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { Form } from '../../ui/Form.tsx'
import { problemOf, spread } from '../../ui/grid/check-value.ts'
import { Segmented } from '../../ui/Segmented.tsx'
import { SidePanel } from '../../ui/SidePanel.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { useCopy } from '../../ui/use-copy.ts'
import { editorOf, lockedBecause } from './grid-columns.ts'
import type { StagedOfTable } from './staged-context.ts'
import type { CellPlace } from './TableGrid.tsx'
import type { TableModel } from './table-model.ts'

const MarkdownText = lazy(() =>
  import('./MarkdownText.tsx').then((m) => ({ default: m.MarkdownText })),
)

type Props = {
  projectRef: string
  entity: EntityDetail
  model: TableModel
  table: StagedOfTable
  readOnly: string | undefined
  cell: CellPlace
  onClose: () => void
}

/** One value with room around it. What is only here by its beginning is loaded whole first. */
export function CellPanel({ projectRef, entity, model, cell, onClose, ...rest }: Props) {
  const column = entity.columns[cell.column]
  const view = model.cellAt(cell.row, cell.column)
  const key = model.keyAt(cell.row)
  const whole = useQuery({
    ...databaseQuery(tableRows.value, {
      ref: projectRef,
      id: entity.id,
      key: key ?? {},
      column: column?.name ?? '',
    }),
    enabled: view.cut === true && key !== undefined,
    gcTime: 0,
  })
  if (!column) return null
  const title = `${column.name} of ${entity.name}`
  if (view.cut && !whole.data)
    return (
      <SidePanel open size="large" title={title} onClose={onClose}>
        {whole.error ? (
          <ErrorNote what="value" error={whole.error} onRetry={() => void whole.refetch()} />
        ) : key ? (
          <Skeleton width={280} />
        ) : (
          <p className="muted">Without a primary key only the beginning of this value is shown.</p>
        )}
      </SidePanel>
    )
  const text = view.cut ? (whole.data?.value ?? null) : view.text
  return (
    <ValueForm
      {...rest}
      {...{ entity, model, cell, onClose, title }}
      start={text}
      column={column}
    />
  )
}

type FormProps = Omit<Props, 'projectRef'> & {
  title: string
  start: string | null
  column: EntityDetail['columns'][number]
}

function ValueForm({ model, table, readOnly, cell, column, title, start, onClose }: FormProps) {
  const [text, setText] = useState(start)
  const [look, setLook] = useState<'text' | 'preview'>('text')
  const [problem, setProblem] = useState<string>()
  const { copy } = useCopy()
  const editor = editorOf(column)
  const fixed = readOnly ?? lockedBecause(column)

  function keep() {
    if (fixed !== undefined || text === start) return
    const wrong = text === null || text === '' ? undefined : problemOf(editor, text)
    setProblem(wrong)
    if (wrong !== undefined) return
    table.change(model.edited([{ ...cell, text }]))
    onClose()
  }
  return (
    <SidePanel
      open
      size="large"
      onClose={onClose}
      title={title}
      shell={(inside) => (
        <Form error={undefined} pending={false} onSubmit={keep}>
          {inside}
        </Form>
      )}
      footer={
        <>
          <Button size="form" onClick={() => void copy(text ?? '')}>
            Copy
          </Button>
          <span className="grow" />
          <Button size="form" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            size="form"
            variant="primary"
            disabledReason={fixed}
            disabled={text === start}
          >
            Keep changes
          </Button>
        </>
      }
    >
      <div className="row cell-panel-bar">
        {editor === 'text' && (
          <Segmented
            label="How the text is shown"
            options={[
              { value: 'text', label: 'Text' },
              { value: 'preview', label: 'Markdown' },
            ]}
            value={look}
            onChange={setLook}
          />
        )}
        {editor === 'json' && text !== null && (
          <Button variant="ghost" onClick={() => setText(spread(text))}>
            Format
          </Button>
        )}
        {column.is_nullable && fixed === undefined && (
          <Button variant="ghost" onClick={() => setText(null)}>
            NULL
          </Button>
        )}
        <span className="grow" />
        <span className="muted t12">
          {text === null ? 'NULL' : `${text.length.toLocaleString('en')} characters`}
        </span>
      </div>
      {look === 'preview' ? (
        <Suspense fallback={<Skeleton width={280} />}>
          <MarkdownText text={text ?? ''} />
        </Suspense>
      ) : (
        <TextArea
          label="Value"
          mono
          rows={24}
          spellCheck={false}
          readOnly={fixed !== undefined}
          error={problem}
          placeholder={text === null ? 'NULL' : 'EMPTY'}
          value={text ?? ''}
          onChange={(event) => {
            setProblem(undefined)
            setText(event.target.value)
          }}
        />
      )}
    </SidePanel>
  )
}
