import { ChartNoAxesColumn, Plus, SquareTerminal, TextQuote } from 'lucide-react'
import { useState } from 'react'
import type { ReportBlock } from '#contract/observability/report-content'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Menu } from '../../../../ui/floats/Menu.tsx'
import { MenuItem } from '../../../../ui/floats/MenuItem.tsx'
import { ChartDialog, QueryDialog, TextDialog } from './BlockDialogs.tsx'
import { withNew, type BlockContent, type BlockKind } from '../../../../modules/reports/blocks.ts'

type Props = {
  blocks: readonly ReportBlock[]
  denied: string | undefined
  onAdd: (blocks: ReportBlock[]) => void
}

/** Puts something new at the end of a report. */
export function AddBlock({ blocks, denied, onAdd }: Props) {
  const [kind, setKind] = useState<BlockKind>()
  const common = { verb: 'Add to report', onClose: () => setKind(undefined) }
  const add = (content: BlockContent) => {
    onAdd(withNew(blocks, content))
    setKind(undefined)
  }
  return (
    <>
      <Menu
        label="Add block"
        trigger={
          <Button icon={Plus} disabledReason={denied}>
            Add block
          </Button>
        }
      >
        <MenuItem icon={ChartNoAxesColumn} onSelect={() => setKind('chart')}>
          Chart
        </MenuItem>
        <MenuItem icon={SquareTerminal} onSelect={() => setKind('sql')}>
          Query
        </MenuItem>
        <MenuItem icon={TextQuote} onSelect={() => setKind('text')}>
          Text
        </MenuItem>
      </Menu>
      {kind === 'chart' && (
        <ChartDialog {...common} onDone={(chart) => add({ kind: 'chart', chart })} />
      )}
      {kind === 'sql' && (
        <QueryDialog
          {...common}
          title=""
          sql=""
          onDone={(query) => add({ kind: 'sql', ...query })}
        />
      )}
      {kind === 'text' && (
        <TextDialog {...common} text="" onDone={(text) => add({ kind: 'text', text })} />
      )}
    </>
  )
}

type EditProps = {
  block: ReportBlock
  onDone: (block: ReportBlock) => void
  onClose: () => void
}

/** Changes what a block says. A chart is replaced by another block instead. */
export function EditBlock({ block, onDone, onClose }: EditProps) {
  const common = { verb: 'Done', onClose }
  switch (block.kind) {
    case 'text':
      return (
        <TextDialog {...common} text={block.text} onDone={(text) => onDone({ ...block, text })} />
      )
    case 'sql':
      return (
        <QueryDialog
          {...common}
          title={block.title}
          sql={block.sql}
          onDone={(query) => onDone({ ...block, ...query })}
        />
      )
    case 'chart':
      return null
  }
}
