import { Download } from 'lucide-react'
import { bytesText } from '../../../../ui/text/number.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { saveFile } from '../../../../ui/save-file.ts'
import { CodeWell } from '../editor/CodeWell.tsx'
import type { StatementRun } from '../running/run-state.ts'
import { copiedName } from '../running/sql-file.ts'
import { fileName } from './ExportMenu.tsx'

/** Characters that are shown of what was copied. */
const shown = 4000

/** Keeps what a COPY printed as a file. */
export function saveCopied({ copied }: StatementRun, text: string, name: string): void {
  const isBinary = copied.some((part) => typeof part !== 'string')
  const ending = isBinary ? 'bin' : /\bcsv\b/i.test(text) ? 'csv' : 'txt'
  const type = isBinary ? 'application/octet-stream' : 'text/plain;charset=utf-8'
  saveFile(copiedName(text) ?? fileName(name, ending), new Blob(copied), type)
}

type Props = { statement: StatementRun; text: string; name: string }

/** What COPY TO STDOUT printed: its beginning, and all of it as a file. */
export function CopiedResult({ statement, text, name }: Props) {
  const [head = ''] = statement.copied
  const size = new Blob(statement.copied).size
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, also for the keyboard
    <section className="sql-copied scroll" aria-label="Copied data" tabIndex={0}>
      <p>
        <span className="grow">
          {bytesText(size)} were copied
          {statement.cut && '; there were more: only these were sent'}
        </span>
        <Button icon={Download} onClick={() => saveCopied(statement, text, name)}>
          Download
        </Button>
      </p>
      {typeof head === 'string' && (
        <CodeWell label="Beginning of the copied data">
          {head.length > shown ? `${head.slice(0, shown)}…` : head.trimEnd()}
        </CodeWell>
      )}
    </section>
  )
}
