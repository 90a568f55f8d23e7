import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Checkbox } from '../../../../ui/controls/Checkbox.tsx'
import { FormDialog } from '../../../../ui/floats/FormDialog.tsx'
import { FileChoiceField } from './FileChoiceField.tsx'
import { problemOf } from './sql-file.ts'

type Props = {
  /** What was dropped on the editor. */
  dropped: File | undefined
  /** Its changes are refused anyway. */
  onlyReads: boolean
  onRun: (file: File, oneTransaction: boolean) => void
  onClose: () => void
}

/** Runs a file without putting it into the editor: a dump may have gigabytes. */
export function RunFileDialog({ dropped, onlyReads, onRun, onClose }: Props) {
  const [file, setFile] = useState(dropped)
  const [oneTransaction, setOneTransaction] = useState(true)
  const { data: problem = null, isFetching } = useQuery({
    queryKey: ['sql-editor.file', file?.name, file?.size, file?.lastModified],
    queryFn: async () => (file && (await problemOf(file))) ?? null,
    enabled: file !== undefined,
    gcTime: 0,
  })
  return (
    <FormDialog
      title="Run a .sql file"
      size="small"
      verb="Run file"
      pending={false}
      disabled={!file || isFetching || problem !== null}
      onSubmit={() => file && onRun(file, oneTransaction)}
      onClose={onClose}
    >
      <FileChoiceField
        label="Choose a .sql file"
        accept=".sql,.txt,.dump,application/sql,text/plain"
        file={file}
        problem={problem ?? undefined}
        onFile={setFile}
      />
      {!onlyReads && (
        <Checkbox
          label="In one transaction"
          checked={oneTransaction}
          onChange={(event) => setOneTransaction(event.target.checked)}
        />
      )}
      <p className="muted t12">
        {onlyReads
          ? 'The run is read-only: Postgres refuses statements that change anything.'
          : oneTransaction
            ? 'If a statement fails, the file changes nothing.'
            : 'If a statement fails, earlier changes stay.'}{' '}
        Plain SQL of any size runs, as pg_dump writes it: with COPY data and commands of psql.
      </p>
    </FormDialog>
  )
}
