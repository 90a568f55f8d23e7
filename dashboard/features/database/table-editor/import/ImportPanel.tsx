import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import type { Import } from '#contract/database/table-transfer'
import { messageOf } from '../../../../api/client.ts'
import { Alert } from '../../../../ui/Alert.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { SidePanel } from '../../../../ui/floats/SidePanel.tsx'
import { draftProblem, likelyKey, tableFor, tableName, type ImportDraft } from './import-draft.ts'
import { cancelImport, startImport } from './import-uploads.ts'
import { UnderWay } from './ImportCard.tsx'
import { ImportForm } from './ImportForm.tsx'
import { ImportReport } from './ImportReport.tsx'
import { ImportSource, type ChosenFile } from './ImportSource.tsx'
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

type Wanted = { draft: ImportDraft; chosen: ChosenFile }

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

  const run = useMutation<Import | undefined, Error, Wanted>({
    mutationFn: async ({ draft: { delimiter, header, columns, ...wanted }, chosen: source }) => {
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
          empty_is_null: wanted.emptyIsNull,
          on_bad_row: wanted.skipBad ? 'skip' : 'stop',
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
