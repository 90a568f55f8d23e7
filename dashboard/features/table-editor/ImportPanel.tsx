import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { pgMeta } from '#contract/pg-meta'
import type { EntityDetail } from '#contract/pg-meta-shapes'
import { migrations } from '#contract/migrations'
import { tableRows } from '#contract/table-rows'
import { forget, messageOf } from '../../api/client.ts'
import { Button } from '../../ui/Button.tsx'
import { SidePanel } from '../../ui/SidePanel.tsx'
import { toast } from '../../ui/toast.ts'
import { draftProblem, likelyKey, tableFor, tableName, type ImportDraft } from './import-draft.ts'
import { ImportForm } from './ImportForm.tsx'
import { ImportReport } from './ImportReport.tsx'
import { runImport, type Imported, type Progress } from './import-run.ts'
import { ImportSource, type ChosenFile } from './ImportSource.tsx'

export type ImportPanelProps = {
  projectRef: string
  schema: string
  /** Undefined: a table is made for the file. */
  into: EntityDetail | undefined
  onClose: () => void
  /** The rows are there. */
  onDone: (table: { schema: string; name: string }) => void
}

/** Reads a CSV or TSV file into a table: looked at first, sent piece by piece, kept as a whole or not at all. */
export function ImportPanel({ projectRef, schema, into, onClose, onDone }: ImportPanelProps) {
  const [chosen, setChosen] = useState<ChosenFile>()
  const [draft, setDraft] = useState<ImportDraft>()
  const [name, setName] = useState('')
  const [key, setKey] = useState<string>()
  const [progress, setProgress] = useState<Progress>()
  const stop = useRef<AbortController>(undefined)
  const table = into?.name ?? name
  const target = into ? into.columns.filter(isTaken).map((column) => column.name) : 'new'

  const run = useMutation<Imported, Error, { draft: ImportDraft; file: Blob }>({
    mutationFn: async ({ draft: { delimiter, header, columns, ...wanted }, file }) => {
      stop.current = new AbortController()
      setProgress(undefined)
      const { transaction: _, ...create } = tableFor(schema, table, columns, key)
      return runImport(
        {
          ref: projectRef,
          schema,
          table,
          delimiter,
          header,
          columns: columns.map((column) => column.into),
          empty_is_null: wanted.emptyIsNull,
          on_bad_row: wanted.skipBad ? 'skip' : 'stop',
          ...(into ? {} : { create }),
        },
        file,
        setProgress,
        stop.current.signal,
      )
    },
    onSuccess: async ({ kept, rows, bad }) => {
      if (!kept) return
      const count = (rows - bad).toLocaleString('en')
      toast.success(`${count} ${rows - bad === 1 ? 'row' : 'rows'} imported into ${table}`)
      await forget(tableRows.list, tableRows.count, pgMeta.entities, migrations.list)
      if (bad === 0) onDone({ schema, name: table })
    },
  })
  const cancelled = run.error?.name === 'AbortError'
  const problem = draft && (draftProblem(draft) ?? (table ? undefined : 'The table needs a name'))

  function choose(file: ChosenFile, next: ImportDraft) {
    setChosen(file)
    setDraft(next)
    setName(tableName(next.fileName))
    setKey(likelyKey(next.columns))
    run.reset()
  }
  const start = () => chosen && draft && run.mutate({ draft, file: chosen.file })
  return (
    <SidePanel
      open
      size="xxlarge"
      onClose={() => {
        stop.current?.abort()
        onClose()
      }}
      title={into ? `Import rows into ${into.name}` : 'Import a file into a new table'}
      footer={
        run.isPending ? (
          <>
            <span className="grow" />
            <Button size="form" onClick={() => stop.current?.abort()}>
              Cancel the import
            </Button>
          </>
        ) : run.data?.kept ? (
          <>
            <span className="grow" />
            <Button size="form" variant="primary" onClick={() => onDone({ schema, name: table })}>
              Done
            </Button>
          </>
        ) : (
          <>
            <span className="grow" />
            <Button size="form" onClick={onClose}>
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
        )
      }
    >
      <div className="form-stack">
        {!run.isPending && !run.data?.kept && (
          <ImportSource target={target} chosen={chosen} onChosen={choose} />
        )}
        {draft && !run.isPending && !run.data?.kept && (
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
        <ImportReport
          running={run.isPending}
          progress={progress}
          result={run.data}
          failure={run.error ? (cancelled ? 'cancelled' : messageOf(run.error)) : undefined}
        />
      </div>
    </SidePanel>
  )
}

/** What the database computes can not be read from a file. */
const isTaken = (column: EntityDetail['columns'][number]) => !column.is_generated
