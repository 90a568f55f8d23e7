import { FileUp } from 'lucide-react'
import { useState } from 'react'
import { cx } from '../../../../ui/cx.ts'
import { Icon } from '../../../../ui/Icon.tsx'
import { Segmented } from '../../../../ui/controls/Segmented.tsx'
import { TextArea } from '../../../../ui/controls/TextArea.tsx'
import { draftOf, sampleSize, type ImportDraft } from './import-draft.ts'
import { numberText } from '../../../../ui/text/number.ts'

export type ChosenFile = { name: string; file: Blob; sample: string; whole: boolean }

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
export function ImportSource({ target, chosen, onChosen }: Props) {
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
