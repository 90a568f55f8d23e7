import { ChevronDown, ClipboardCopy, Download } from 'lucide-react'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { MenuItem } from '../../ui/MenuItem.tsx'
import { toast } from '../../ui/toast.ts'
import { useCopy } from '../../ui/use-copy.ts'
import { cutCells, toCsv, toJson, toMarkdown } from './result-export.ts'
import type { StatementRun } from './run-state.ts'

type Props = { statement: StatementRun; name: string }

/** A result out of here: to the clipboard or into a file. */
export function ExportMenu({ statement, name }: Props) {
  const { copy } = useCopy()
  const result = { fields: statement.fields ?? [], rows: statement.rows }

  function tellOfHeads() {
    const cut = cutCells(result)
    if (cut > 0)
      toast.warning('Long values are cut', {
        description: `${cut.toLocaleString('en')} values were too long to be sent whole; only their beginning is included.`,
      })
  }
  async function copyAs(what: string, text: string) {
    await copy(text)
    toast.success(`Copied as ${what}`, { id: 'sql-copied' })
    tellOfHeads()
  }
  function download() {
    save(`${name.replace(/[^\p{L}\p{N} _-]+/gu, '').trim() || 'result'}.csv`, toCsv(result))
    tellOfHeads()
  }
  return (
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
      <MenuItem icon={Download} onSelect={download}>
        Download CSV
      </MenuItem>
      <MenuItem icon={ClipboardCopy} onSelect={() => void copyAs('CSV', toCsv(result))}>
        Copy as CSV
      </MenuItem>
      <MenuItem icon={ClipboardCopy} onSelect={() => void copyAs('JSON', toJson(result))}>
        Copy as JSON
      </MenuItem>
      <MenuItem icon={ClipboardCopy} onSelect={() => void copyAs('Markdown', toMarkdown(result))}>
        Copy as Markdown
      </MenuItem>
    </Menu>
  )
}

function save(fileName: string, text: string) {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  URL.revokeObjectURL(url)
}
