import { Copy, Download, FileImage, Image, LayoutDashboard, RotateCcw, Share2 } from 'lucide-react'
import { diagramLayouts } from '#contract/database/diagram-layouts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Menu } from '../../../ui/floats/Menu.tsx'
import { MenuItem } from '../../../ui/floats/MenuItem.tsx'
import { Select } from '../../../ui/controls/Select.tsx'

export type ExportKind = 'png' | 'svg' | 'sql'

type Props = {
  projectRef: string
  tables: readonly { id: number; name: string }[]
  busy: boolean
  /** Whether the reader has arranged it, and whether somebody has shared an arrangement. */
  hasOwn: boolean
  hasShared: boolean
  onFind: (id: string) => void
  onArrange: () => void
  onShare: () => void
  onReset: () => void
  onExport: (kind: ExportKind) => void
}

/** What can be done with a diagram as a whole. */
export function DiagramBar({ projectRef, tables, busy, hasOwn, hasShared, ...does }: Props) {
  const why = useDenials(useProject(projectRef))
  return (
    <>
      <div className="diagram-find">
        <Select
          label="Find a table"
          placeholder="Find a table"
          size="tool"
          options={tables.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={undefined}
          onChange={does.onFind}
        />
      </div>
      <span className="grow" />
      <Button icon={LayoutDashboard} busy={busy} onClick={does.onArrange}>
        Arrange
      </Button>
      <Menu
        label="Layout"
        align="end"
        trigger={<IconButton icon={Share2} label="Layout" variant="secondary" />}
      >
        <MenuItem icon={Share2} disabledReason={why(diagramLayouts.share)} onSelect={does.onShare}>
          Share this layout
        </MenuItem>
        <MenuItem
          icon={RotateCcw}
          disabledReason={hasOwn ? undefined : 'You have not moved anything.'}
          onSelect={does.onReset}
        >
          {hasShared ? 'Use the shared layout' : 'Reset layout'}
        </MenuItem>
      </Menu>
      <Menu
        label="Export"
        align="end"
        trigger={<IconButton icon={Download} label="Export" variant="secondary" />}
      >
        <MenuItem icon={Image} onSelect={() => does.onExport('png')}>
          Save as PNG
        </MenuItem>
        <MenuItem icon={FileImage} onSelect={() => does.onExport('svg')}>
          Save as SVG
        </MenuItem>
        <MenuItem icon={Copy} onSelect={() => does.onExport('sql')}>
          Copy as SQL
        </MenuItem>
      </Menu>
    </>
  )
}
