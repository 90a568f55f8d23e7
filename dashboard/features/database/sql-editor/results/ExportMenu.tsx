import { ChevronDown, ClipboardCopy, Download, ListPlus } from 'lucide-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { sqlQuery, type ResultField, type RunEvent } from '#contract/database/sql/sql-query'
import { messageOf } from '../../../../api/client.ts'
import { callLines } from '../../../../api/lines.ts'
import { asInput } from '../../../../modules/roles/impersonation.ts'
import { connectionHeaders } from '../../../../session/project/database.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Icon } from '../../../../ui/Icon.tsx'
import { Menu } from '../../../../ui/floats/Menu.tsx'
import { MenuItem, MenuSeparator } from '../../../../ui/floats/MenuItem.tsx'
import { saveFile } from '../../../../ui/save-file.ts'
import { toast } from '../../../../ui/floats/toast.ts'
import { useCopy } from '../../../../ui/controls/CopyButton.tsx'
import { cutCells, loadCsv, toCsv, toJson, toMarkdown, toSql } from './result-export.ts'
import type { StatementRun } from '../running/run-state.ts'
import type { RunView } from '../running/runs.ts'
import { useWorkspace } from '../use-workspace.ts'
import { numberText } from '../../../../ui/text/number.ts'

const AddToReport = lazy(() =>
  import('../../../../modules/reports/AddToReport.tsx').then((m) => ({ default: m.AddToReport })),
)

const types = { csv: 'text/csv;charset=utf-8', json: 'application/json' }

type Props = { run: RunView; statement: StatementRun; name: string }

/** A result out of here: to the clipboard or into a file. */
export function ExportMenu({ run, statement, name }: Props) {
  const { copy } = useCopy()
  const { ref } = useWorkspace()
  const all = useDownload(run, statement, name)
  const result = { fields: statement.fields ?? [], rows: statement.rows }
  const isPlan = run.options.explain !== undefined
  const hasParameters = Object.keys(run.options.parameters).length > 0
  const [isReporting, setReporting] = useState(false)
  const isOurs = statement.title !== undefined || run.options.file !== undefined

  function notifyOfHeads() {
    const cut = cutCells(result)
    if (cut > 0)
      toast.warning('Long values are truncated', {
        description: `${numberText(cut)} values were too long to be sent whole; only their beginning is included.`,
      })
  }
  async function copyAs(what: string, text: string) {
    await copy(text)
    toast.success(`Copied as ${what}`, { id: 'sql-copied' })
    notifyOfHeads()
  }
  function download(ending: keyof typeof types, text: string) {
    saveFile(fileName(name, ending), text, types[ending])
    notifyOfHeads()
  }
  if (all.rows !== undefined)
    return (
      <Button onClick={all.stop} aria-label="Cancel download">
        Stop at {numberText(all.rows)} rows
      </Button>
    )
  return (
    <>
      {isReporting && (
        <Suspense>
          <AddToReport
            projectRef={ref}
            content={{
              kind: 'sql',
              title: name,
              sql: run.sent.sql.slice(statement.start, statement.end),
            }}
            onClose={() => setReporting(false)}
          />
        </Suspense>
      )}
      <Menu
        label="Export"
        align="end"
        trigger={
          <Button variant="ghost" icon={Download}>
            Export
            <Icon of={ChevronDown} size="xs" className="sql-caret" />
          </Button>
        }
      >
        <MenuItem
          icon={Download}
          onSelect={() => void toCsv(result).then((text) => download('csv', text))}
        >
          Download CSV
        </MenuItem>
        <MenuItem icon={Download} onSelect={() => download('json', toJson(result))}>
          Download JSON
        </MenuItem>
        <MenuItem
          icon={Download}
          disabledReason={
            (isPlan && 'A plan has no further rows') || (isOurs && 'All rows were sent already')
          }
          onSelect={() => void all.start()}
        >
          Download all rows as CSV
          <span className="choice-help">Runs again without a limit, read only</span>
        </MenuItem>
        <MenuSeparator />
        <MenuItem
          icon={ClipboardCopy}
          onSelect={() => void toCsv(result).then((text) => copyAs('CSV', text))}
        >
          Copy as CSV
        </MenuItem>
        <MenuItem icon={ClipboardCopy} onSelect={() => void copyAs('JSON', toJson(result))}>
          Copy as JSON
        </MenuItem>
        <MenuItem icon={ClipboardCopy} onSelect={() => void copyAs('Markdown', toMarkdown(result))}>
          Copy as Markdown
        </MenuItem>
        <MenuItem icon={ClipboardCopy} onSelect={() => void copyAs('SQL', toSql(result))}>
          Copy as SQL
        </MenuItem>
        <MenuSeparator />
        <MenuItem
          icon={ListPlus}
          disabledReason={
            (isPlan && 'A plan cannot be in a report') ||
            (isOurs && 'Only a query can be in a report') ||
            (hasParameters && 'A query with parameters cannot be in a report')
          }
          onSelect={() => setReporting(true)}
        >
          Add to report
        </MenuItem>
      </Menu>
    </>
  )
}

/** The download of everything: `rows` so far while it goes on. */
function useDownload(run: RunView, statement: StatementRun, name: string) {
  const { ref } = useWorkspace()
  const [rows, setRows] = useState<number>()
  const abort = useRef<AbortController>(undefined)
  async function start() {
    const controller = new AbortController()
    abort.current = controller
    setRows(0)
    try {
      const blob = await downloadAll(ref, run, statement, {
        signal: controller.signal,
        onRows: setRows,
      })
      saveFile(fileName(name, 'csv'), blob, types.csv)
    } catch (error) {
      if (!controller.signal.aborted) toast.error(messageOf(error), { id: 'sql-download' })
    } finally {
      setRows(undefined)
    }
  }
  return { rows, start, stop: () => abort.current?.abort() }
}

/** Pieces of a file are handed to the browser at this size; it keeps them outside of the page's memory. */
const pieceSize = 4_000_000

/**
 * All rows of one statement as a CSV file, run once more in a transaction that only reads: rows flow through, so that
 * any number of them fits. `onRows` tells how many there are so far. Throws what went wrong, in Postgres's words.
 */
async function downloadAll(
  ref: string,
  run: RunView,
  statement: StatementRun,
  { signal, onRows }: { signal: AbortSignal; onRows: (rows: number) => void },
): Promise<Blob> {
  const { as, parameters, timeoutMs } = run.options
  const input = {
    ref,
    id: crypto.randomUUID(),
    query: run.sent.sql.slice(statement.start, statement.end),
    row_limit: null,
    timeout_ms: Math.max(timeoutMs, 600_000),
    read_only: true,
    parameters,
    ...asInput(as),
  }
  const headers = await connectionHeaders(ref)
  const csvLines = await loadCsv()
  const pieces: Blob[] = []
  let text = ''
  let fields: readonly ResultField[] = []
  let rows = 0
  const flush = () => {
    if (text) pieces.push(new Blob([text]))
    text = ''
  }
  for await (const event of callLines<RunEvent>(sqlQuery.run, input, { headers, signal })) {
    if (event.type === 'error') throw new Error(event.error.message)
    if (event.type === 'fields') {
      fields = event.fields
      text += csvLines([fields.map(({ name }) => name)])
    }
    if (event.type === 'rows') {
      rows += event.rows.length
      text += csvLines(event.rows)
      if (text.length > pieceSize) flush()
      onRows(rows)
    }
  }
  flush()
  return new Blob(pieces, { type: 'text/csv;charset=utf-8' })
}

/** A name that every file system takes. */
export const fileName = (name: string, ending: string) =>
  `${name.replace(/[^\p{L}\p{N} _-]+/gu, '').trim() || 'query'}.${ending}`
