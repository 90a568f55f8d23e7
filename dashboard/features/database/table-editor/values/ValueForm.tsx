import { useSuspenseQuery } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import { FileChoice } from '../../../../modules/files/FileChoice.tsx'
import { useFilesOffered } from '../../../../modules/files/use-files-offered.ts'
import { projectQuery } from '../../../../session/project/project.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { FormPanel } from '../../../../ui/floats/FormPanel.tsx'
import { spread } from '../../../../ui/grid/json-text.ts'
import { Icon } from '../../../../ui/Icon.tsx'
import { Segmented } from '../../../../ui/controls/Segmented.tsx'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import { ValueArea } from '../../../../ui/text/ValueArea.tsx'
import type { EditorKind } from '../../../../ui/grid/grid-types.ts'
import { useCopy } from '../../../../ui/controls/CopyButton.tsx'
import { editorOf, lockedBecause, mayHoldFile, valueProblem } from '../grid/grid-columns.ts'
import { numberText } from '../../../../ui/text/number.ts'
import { linkOf } from '../grid/link-of.ts'
import { type StagedOfTable, useSaveVerb } from '../rows/staged-context.ts'
import type { CellPlace } from '../grid/TableGrid.tsx'
import type { TableModel } from '../table-model.ts'
import { ArrayFields, itemsOf } from './ArrayFields.tsx'
import { BytesValue } from './BytesValue.tsx'
import { CompositeFields, fieldsOf, useAttributes } from './CompositeFields.tsx'
import { jsonTree, type JsonNode } from './json.ts'

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
  title: string
  start: string | null
  column: EntityDetail['columns'][number]
  onClose: () => void
}
type Look = 'text' | 'preview' | 'fields' | 'items' | 'tree' | 'bytes'

/** One value with room around it: as text, as what the text means, or by its fields. */
export function ValueForm(props: Props) {
  const { projectRef, entity, model, table, readOnly, cell, column, title, start, onClose } = props
  const [text, setText] = useState(start)
  const [requested, setRequested] = useState<Look>()
  const [problem, setProblem] = useState<string>()
  const [choosing, setChoosing] = useState(false)
  const verb = useSaveVerb()
  const { copy } = useCopy()
  const files = useFilesOffered(projectRef) && mayHoldFile(column)
  const { data: project } = useSuspenseQuery(projectQuery(projectRef))
  const attributes = useAttributes(projectRef, entity, [column])(column)
  const editor = editorOf(column)
  const fixed = readOnly ?? lockedBecause(column)
  const link = text === null ? undefined : linkOf(text, project.endpoint)
  // A text that has other fields is edited as text.
  const fields = attributes && fieldsOf(text, attributes.length) ? attributes : undefined
  const tree = useMemo(
    () => (editor === 'json' && text !== null ? jsonTree(text) : undefined),
    [editor, text],
  )
  const items = itemsOf(column, text) !== undefined
  const other: Look | undefined = fields
    ? 'fields'
    : items
      ? 'items'
      : tree
        ? 'tree'
        : ofEditor[editor]
  const looks = looksOf(other)
  const look = looks.some(({ value }) => value === requested) ? requested : looks[0]?.value

  function put(next: string | null) {
    setProblem(undefined)
    setText(next)
  }
  function keep() {
    if (fixed !== undefined || text === start) return undefined
    const wrong = valueProblem(column, text)
    setProblem(wrong)
    if (wrong !== undefined) return setRequested('text')
    table.change(model.edited([{ ...cell, text }]))
    onClose()
    return undefined
  }
  return (
    <FormPanel
      title={title}
      size="large"
      verb={verb}
      disabled={text === start}
      reason={fixed}
      others={
        <>
          <Button size="form" onClick={() => void copy(text ?? '')}>
            Copy
          </Button>
        </>
      }
      onSubmit={keep}
      onClose={onClose}
    >
      <div className="row cell-panel-bar">
        {looks.length > 1 && (
          <Segmented
            label="How the value is shown"
            options={looks}
            value={look ?? 'text'}
            onChange={setRequested}
          />
        )}
        {editor === 'json' && text !== null && (
          <Button variant="ghost" onClick={() => put(spread(text))}>
            Format
          </Button>
        )}
        {column.is_nullable && fixed === undefined && (
          <Button variant="ghost" onClick={() => put(null)}>
            NULL
          </Button>
        )}
        {files && fixed === undefined && (
          <Button variant="ghost" onClick={() => setChoosing(true)}>
            Choose a file
          </Button>
        )}
        {link && (
          <a className="btn gho" href={link.href} target="_blank" rel="noopener noreferrer">
            <Icon of={ExternalLink} />
            <span className="ell">{link.file ?? 'Open the URL'}</span>
          </a>
        )}
        <span className="grow" />
        <span className="muted t12">
          {text === null ? 'NULL' : look !== 'bytes' && `${numberText(text.length)} characters`}
        </span>
      </div>
      {look === 'preview' && (
        <Suspense fallback={<Skeleton width={280} />}>
          <MarkdownText text={text ?? ''} />
        </Suspense>
      )}
      {look === 'bytes' && (
        <BytesValue
          text={text}
          name={[entity.name, ...Object.values(model.keyAt(cell.row) ?? {}), column.name].join('-')}
          disabled={fixed !== undefined}
          onText={put}
        />
      )}
      {look === 'tree' && tree && <JsonTree node={tree} />}
      {look === 'fields' && fields && (
        <CompositeFields
          attributes={fields}
          text={text}
          disabled={fixed !== undefined}
          onText={put}
        />
      )}
      {look === 'items' && (
        <ArrayFields column={column} text={text} disabled={fixed !== undefined} onText={put} />
      )}
      {look === 'text' && (
        <ValueArea
          label="Value"
          mono
          rows={24}
          spellCheck={false}
          readOnly={fixed !== undefined}
          error={problem}
          placeholder={text === null ? 'NULL' : 'EMPTY'}
          value={text ?? ''}
          onText={put}
        />
      )}
      {choosing && (
        <FileChoice
          projectRef={projectRef}
          onClose={() => setChoosing(false)}
          onChoose={(reference) => {
            put(reference)
            setChoosing(false)
          }}
        />
      )}
    </FormPanel>
  )
}

const words: Record<Look, string> = {
  text: 'Text',
  preview: 'Markdown',
  fields: 'Fields',
  items: 'Items',
  tree: 'Tree',
  bytes: 'Bytes',
}

const ofEditor: Partial<Record<EditorKind, Look>> = { text: 'preview', bytes: 'bytes' }
const first: ReadonlySet<Look> = new Set<Look>(['fields', 'items', 'bytes'])

/** Fields, items and bytes are what one wants of a value that has them; Markdown and trees are only looked at. */
function looksOf(other: Look | undefined): { value: Look; label: string }[] {
  const order: Look[] =
    other === undefined ? ['text'] : first.has(other) ? [other, 'text'] : ['text', other]
  return order.map((value) => ({ value, label: words[value] }))
}

/** Parts of one object or list that are shown at a time. */
const shownParts = 100

/** JSON to be opened part by part; what is closed is not on the page. */
function JsonTree({ node }: { node: JsonNode }) {
  return (
    <div className="json-tree mono">
      <Part name={undefined} node={node} begins />
    </div>
  )
}

type PartProps = { name: string | undefined; node: JsonNode; begins?: boolean }

function Part({ name, node, begins = false }: PartProps) {
  const [open, setOpen] = useState(begins)
  const [max, setMost] = useState(shownParts)
  const label = name !== undefined && <span className="muted">{name}: </span>
  if (node.kind === 'leaf')
    return (
      <p>
        {label}
        {node.text}
      </p>
    )
  const parts =
    node.kind === 'array'
      ? node.items.map((value, at) => ({ name: String(at), value }))
      : node.entries
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {label}
        <span className="faint">
          {node.kind === 'array' ? `[${parts.length}]` : `{${parts.length}}`}
        </span>
      </summary>
      {open &&
        parts.slice(0, max).map((part, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- a name may come twice
          <Part key={at} name={part.name} node={part.value} />
        ))}
      {open && parts.length > max && (
        <button type="button" className="link" onClick={() => setMost(max + shownParts)}>
          {numberText(parts.length - max)} more
        </button>
      )}
    </details>
  )
}
