import { useState } from 'react'
import type { ScriptItem } from '#contract/database/sql/sql-script'
import { FormDialog } from '../../../../ui/floats/FormDialog.tsx'
import { CodeWell } from '../editor/CodeWell.tsx'
import { FileChoiceField } from './FileChoiceField.tsx'
import { namedFile } from './sql-file.ts'

type Props = { item: ScriptItem; onRun: (file: File) => void; onClose: () => void }

/** Asks for the data of a COPY that has none in its text. */
export function CopyFileDialog({ item, onRun, onClose }: Props) {
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
