import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { FileUp } from 'lucide-react'
import type { ScriptItem } from '#contract/database/sql/sql-script'
import { Checkbox } from '../../../../ui/controls/Checkbox.tsx'
import { FormDialog } from '../../../../ui/floats/FormDialog.tsx'
import { CodeWell } from '../editor/CodeWell.tsx'
import { bytesText } from '../../../../ui/text/number.ts'
import { Icon } from '../../../../ui/Icon.tsx'
import { problemOf, namedFile } from './sql-file.ts'

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

type CopyFileDialogProps = { item: ScriptItem; onRun: (file: File) => void; onClose: () => void }

/** Asks for the data of a COPY that has none in its text. */
export function CopyFileDialog({ item, onRun, onClose }: CopyFileDialogProps) {
  const [file, setFile] = useState<File>()
  const name = namedFile(item)
  return (
    <FormDialog
      title="Choose the data to copy"
      size="small"
      verb="Run"
      pending={false}
      disabled={!file}
      onSubmit={() => file && onRun(file)}
      onClose={onClose}
    >
      <CodeWell label="Statement">{item.text}</CodeWell>
      <FileChoiceField
        label={name === undefined ? 'Choose a file' : `Choose ${name}`}
        accept=""
        file={file}
        problem={undefined}
        onFile={setFile}
      />
      <p className="muted t12">
        Or write the data below the statement, and \. on the line behind them.
      </p>
    </FormDialog>
  )
}

type FileChoiceFieldProps = {
  label: string
  accept: string
  file: File | undefined
  problem: string | undefined
  onFile: (file: File) => void
}

/** Chooses one file, or takes the one that is dropped on it. */
function FileChoiceField({ label, accept, file, problem, onFile }: FileChoiceFieldProps) {
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- dropping a file; the field inside does the same by keyboard */}
      <label
        className="sql-drop"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault()
          const [dropped] = event.dataTransfer.files
          if (dropped) onFile(dropped)
        }}
      >
        <Icon of={FileUp} />
        <span>{file ? `${file.name}, ${bytesText(file.size)}` : label}</span>
        <span className="muted t12">or drop it here</span>
        <input
          type="file"
          className="sr"
          accept={accept}
          onChange={({ target: { files } }) => {
            const [chosen] = files ?? []
            if (chosen) onFile(chosen)
          }}
        />
      </label>
      {problem !== undefined && (
        <p className="err" role="alert">
          {problem}
        </p>
      )}
    </>
  )
}
