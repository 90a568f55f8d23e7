import { Braces, FileSpreadsheet, SquareTerminal } from 'lucide-react'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import type { RowKey } from '#contract/database/rows/table-rows'
import { type ExportFormat, tableTransfer } from '#contract/database/table-transfer'
import type { IconType } from '../../../ui/Icon.tsx'
import { MenuItem } from '../../../ui/floats/MenuItem.tsx'
import { addressOf } from '../../../api/address.ts'
import { messageOf } from '../../../api/client.ts'
import { send } from '../../../api/http.ts'
import { connectionHeaders } from '../../../session/project/database.ts'
import { toast } from '../../../ui/floats/toast.ts'
import type { View } from './search.ts'

type Props = {
  projectRef: string
  entity: Pick<EntityDetail, 'id' | 'name'>
  /** Only what these let through, in this order. */
  view?: Pick<View, 'filters' | 'sort'> | undefined
  /** Only these rows. */
  keys?: readonly RowKey[] | undefined
  columns?: readonly string[] | undefined
  disabledReason?: string | undefined
}

const formats: { format: ExportFormat; label: string; icon: IconType }[] = [
  { format: 'csv', label: 'Export as CSV', icon: FileSpreadsheet },
  { format: 'json', label: 'Export as JSON', icon: Braces },
  { format: 'sql', label: 'Export as SQL', icon: SquareTerminal },
]

/** One item of a menu for each kind of file. */
export function ExportItems({ projectRef, entity, view, keys, columns, disabledReason }: Props) {
  return formats.map(({ format, label, icon }) => (
    <MenuItem
      key={format}
      icon={icon}
      disabledReason={disabledReason}
      onSelect={() => downloadRows({ projectRef, entity, format, view, keys, columns })}
    >
      {label}
    </MenuItem>
  ))
}

type Requested = {
  projectRef: string
  entity: Pick<EntityDetail, 'id' | 'name'>
  format: ExportFormat
  view?: Pick<View, 'filters' | 'sort'> | undefined
  keys?: readonly RowKey[] | undefined
  columns?: readonly string[] | undefined
}

/** What no file system takes in a name becomes an underscore. */
const fileName = (name: string, format: ExportFormat) =>
  // oxlint-disable-next-line no-control-regex -- they are what is replaced
  `${name.replace(/[\u0000-\u001f\\/:*?"<>|]+/g, '_').slice(0, 100) || 'rows'}.${format}`

/** Rows as a file. The browser keeps what arrives outside of the page's memory; a toast tells, and can stop it. */
function downloadRows(requested: Requested): void {
  const stop = new AbortController()
  const id = `export-${crypto.randomUUID()}`
  toast.loading(`Exporting ${requested.entity.name}`, {
    id,
    action: { label: 'Cancel', run: () => stop.abort() },
  })
  fetchRows(requested, stop.signal).then(
    (file) => {
      save(file, fileName(requested.entity.name, requested.format))
      toast.success(`${requested.entity.name} is exported`, { id })
    },
    (error: unknown) => {
      if (stop.signal.aborted) toast.info('The export was cancelled', { id })
      else toast.error('The export failed', { id, description: messageOf(error) })
    },
  )
}

async function fetchRows(requested: Requested, signal: AbortSignal): Promise<Blob> {
  const { projectRef: ref, entity, format, view, keys, columns } = requested
  const { path, body } = addressOf(tableTransfer.export, {
    ref,
    id: entity.id,
    format,
    ...(keys ? { keys } : view),
    ...(columns ? { columns } : {}),
  })
  const headers = await connectionHeaders(ref)
  const response = await send({ method: 'POST', path, body, headers, signal })
  return response.blob()
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
