import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FileUp } from 'lucide-react'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import type { Import } from '#contract/database/table-transfer'
import { messageOf } from '../../../../api/client.ts'
import { Alert } from '../../../../ui/Alert.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { SidePanel } from '../../../../ui/floats/SidePanel.tsx'
import { cx } from '../../../../ui/cx.ts'
import { Icon } from '../../../../ui/Icon.tsx'
import { Segmented } from '../../../../ui/controls/Segmented.tsx'
import { TextArea } from '../../../../ui/controls/TextField.tsx'
import { numberText } from '../../../../ui/text/number.ts'
import {
  draftProblem,
  likelyKey,
  tableFor,
  tableName,
  type ImportDraft,
  draftOf,
  sampleSize,
} from './import-draft.ts'
import { cancelImport, startImport } from './import-uploads.ts'
import { UnderWay, ImportReport } from './ImportCard.tsx'
import { ImportForm } from './ImportForm.tsx'
import { endOf, importsQuery, leaveImport, tableId } from './imports-query.ts'

export type ImportPanelProps = {
  projectRef: string
  schema: string
  /** Undefined: a table is made for the file. */
  into: EntityDetail | undefined
  onClose: () => void
  /** The rows are there, in the table of this id. */
  onDone: (id: number | undefined) => void
}

type Requested = { draft: ImportDraft; chosen: ChosenFile }

/** Reads a CSV or TSV file into a table: looked at first, sent piece by piece, kept as a whole or not at all. */
export function ImportPanel({ projectRef, schema, into, onClose, onDone }: ImportPanelProps) {
  const [chosen, setChosen] = useState<ChosenFile>()
  const [draft, setDraft] = useState<ImportDraft>()
  const [name, setName] = useState('')
  const [key, setKey] = useState<string>()
  const [id, setId] = useState<string>()
  const table = into?.name ?? name
  const target = into ? into.columns.filter(isTaken).map((column) => column.name) : 'new'
  const { data: imports = [] } = useQuery(importsQuery(projectRef))
  const state = imports.find((one) => one.id === id)

  const run = useMutation<Import | undefined, Error, Requested>({
    mutationFn: async ({ draft: { delimiter, header, columns, ...requested }, chosen: source }) => {
      // What a second attempt replaces needs no place in the list.
      if (state?.kept === false) await cancelImport({ ref: projectRef, import: state.id })
      const { transaction: _, ...create } = tableFor(schema, table, columns, key)
      const begun = await startImport(
        {
          ref: projectRef,
          schema,
          table,
          delimiter,
          header,
          columns: columns.map((column) => column.into),
          empty_is_null: requested.emptyIsNull,
          on_bad_row: requested.skipBad ? 'skip' : 'stop',
          ...(into ? {} : { create }),
        },
        source.name,
        source.file,
      )
      setId(begun.id)
      const end = endOf(projectRef, begun.id)
      return Promise.race([begun.sent.then(() => end), end])
    },
  })
  const done = async () => onDone(into?.id ?? (await tableId(projectRef, schema, table)))
  const landing = useMutation({ mutationFn: done })
  const ended = run.data
  const problem = draft && (draftProblem(draft) ?? (table ? undefined : 'The table needs a name'))
  const cancel = useMutation({
    mutationFn: (running: string) => cancelImport({ ref: projectRef, import: running }),
  })

  function close() {
    if (id !== undefined) leaveImport(id)
    onClose()
  }
  function choose(file: ChosenFile, next: ImportDraft) {
    setChosen(file)
    setDraft(next)
    setName(tableName(next.fileName))
    setKey(likelyKey(next.columns))
    run.reset()
  }
  function start() {
    if (!chosen || !draft) return
    // Heard only while this panel is open: whoever has closed it is not led away from where they are.
    const onSuccess = (end: Import | undefined) => {
      if (end?.kept && end.bad === 0) landing.mutate()
    }
    run.mutate({ draft, chosen }, { onSuccess })
  }
  const editing = !run.isPending && !ended?.kept
  return (
    <SidePanel
      open
      size="xxlarge"
      onClose={close}
      title={into ? `Import rows into ${into.name}` : 'Import a file into a new table'}
      footer={
        <>
          <span className="grow" />
          {run.isPending && (
            <Button
              size="form"
              busy={cancel.isPending}
              disabled={id === undefined}
              onClick={() => id !== undefined && cancel.mutate(id)}
            >
              Cancel the import
            </Button>
          )}
          {run.isPending && (
            <Button size="form" onClick={close}>
              Continue in the background
            </Button>
          )}
          {ended?.kept && (
            <Button size="form" variant="primary" onClick={() => landing.mutate()}>
              Done
            </Button>
          )}
          {editing && (
            <>
              <Button size="form" onClick={close}>
                Close
              </Button>
              <Button
                size="form"
                variant="primary"
                disabledReason={draft ? problem : 'Choose a file or paste its text first'}
                onClick={start}
              >
                Import
              </Button>
            </>
          )}
        </>
      }
    >
      <div className="form-stack">
        {editing && <ImportSource target={target} chosen={chosen} onChosen={choose} />}
        {draft && editing && (
          <ImportForm
            draft={draft}
            onDraft={setDraft}
            target={target}
            schema={schema}
            name={name}
            onName={setName}
            tableKey={key}
            onKey={setKey}
          />
        )}
        {run.isPending && state && <UnderWay projectRef={projectRef} state={state} />}
        {run.isSuccess && !ended && (
          <Alert variant="info" title="The import was cancelled">
            No rows were imported.
          </Alert>
        )}
        {ended && <ImportReport projectRef={projectRef} state={ended} />}
        {(run.error ?? cancel.error ?? landing.error) && (
          <Alert variant="danger" title={run.error ? 'Nothing was imported' : 'The import failed'}>
            {messageOf(run.error ?? cancel.error ?? landing.error)}
          </Alert>
        )}
      </div>
    </SidePanel>
  )
}

/** What the database computes cannot be read from a file. */
const isTaken = (column: EntityDetail['columns'][number]) => !column.is_generated

type ChosenFile = { name: string; file: Blob; sample: string; whole: boolean }

type Props = {
  target: readonly string[] | 'new'
  chosen: ChosenFile | undefined
  onChosen: (file: ChosenFile, draft: ImportDraft) => void
}

const sizeOf = (bytes: number) =>
  bytes < 1_000_000
    ? `${numberText(Math.max(1, Math.round(bytes / 1000)))} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`

/** A file from the disk or the clipboard. Only its beginning is read here. */
function ImportSource({ target, chosen, onChosen }: Props) {
  const [from, setFrom] = useState<'file' | 'text'>('file')
  const [over, setOver] = useState(false)
  const [problem, setProblem] = useState<string>()

  async function take(file: Blob, name: string) {
    if (file.size === 0) return setProblem('The file is empty')
    const whole = file.size <= sampleSize
    const sample = await file.slice(0, sampleSize).text()
    const draft = draftOf(name, sample, whole, target)
    if (draft.columns.length === 0) return setProblem('There are no rows in it')
    setProblem(undefined)
    return onChosen({ name, file, sample, whole }, draft)
  }
  return (
    <>
      <Segmented
        label="Source of the rows"
        options={[
          { value: 'file', label: 'File' },
          { value: 'text', label: 'Pasted text' },
        ]}
        value={from}
        onChange={setFrom}
      />
      {from === 'file' ? (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- dropping a file; the field inside does the same by keyboard
        <label
          className={cx('drop-file', over && 'over')}
          onDragOver={(event) => {
            event.preventDefault()
            setOver(true)
          }}
          onDragLeave={() => setOver(false)}
          onDrop={(event) => {
            event.preventDefault()
            setOver(false)
            const [file] = event.dataTransfer.files
            if (file) void take(file, file.name)
          }}
        >
          <Icon of={FileUp} />
          <span>
            {chosen ? `${chosen.name}, ${sizeOf(chosen.file.size)}` : 'Choose a CSV or TSV file'}
          </span>
          <span className="muted t12">or drop it here; UTF-8 text of any size</span>
          <input
            type="file"
            className="sr"
            accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
            onChange={({ target: { files } }) => {
              const [file] = files ?? []
              if (file) void take(file, file.name)
            }}
          />
        </label>
      ) : (
        <TextArea
          label="Rows"
          mono
          rows={8}
          spellCheck={false}
          help="Copied from a spreadsheet, or CSV."
          onChange={({ target: { value } }) => {
            if (value.trim()) void take(new Blob([value]), 'pasted')
          }}
        />
      )}
      {problem !== undefined && (
        <p className="err" role="alert">
          {problem}
        </p>
      )}
    </>
  )
}
