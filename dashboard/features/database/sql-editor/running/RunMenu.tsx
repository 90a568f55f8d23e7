import { ChevronDown, FilePlay, Layers, ListTree, Play, Route, TextCursor } from 'lucide-react'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Menu } from '../../../../ui/floats/Menu.tsx'
import { MenuItem } from '../../../../ui/floats/MenuItem.tsx'
import { MenuSeparator } from '../../../../ui/floats/MenuSeparator.tsx'
import type { RunWhat } from './use-query-run.ts'

type Props = {
  disabledReason: string | false | undefined
  /** Why nothing that runs can be kept. */
  writeDenial: string | undefined
  onRun: (what: RunWhat) => void
  onFile: () => void
}

/** The other ways to run: one statement, a file, or only a plan. */
export function RunMenu({ disabledReason, writeDenial, onRun, onFile }: Props) {
  return (
    <Menu
      label="Ways to run"
      align="end"
      trigger={
        <IconButton className="sql-run-more" icon={ChevronDown} iconSize="s" label="Ways to run" />
      }
    >
      <MenuItem
        icon={Play}
        keys="mod+enter"
        disabledReason={disabledReason}
        onSelect={() => onRun({})}
      >
        Run all or the selection
      </MenuItem>
      <MenuItem
        icon={TextCursor}
        keys="mod+shift+enter"
        disabledReason={disabledReason}
        onSelect={() => onRun({ atCursor: true })}
      >
        Run the statement at the cursor
      </MenuItem>
      <MenuItem
        icon={Layers}
        disabledReason={disabledReason || writeDenial}
        onSelect={() => onRun({ oneTransaction: true })}
      >
        Run all in one transaction
      </MenuItem>
      <MenuItem icon={FilePlay} disabledReason={disabledReason} onSelect={onFile}>
        Run a .sql file
      </MenuItem>
      <MenuSeparator />
      <MenuItem
        icon={Route}
        disabledReason={disabledReason}
        onSelect={() => onRun({ atCursor: true, explain: 'plan' })}
      >
        Explain the statement at the cursor
      </MenuItem>
      <MenuItem
        icon={ListTree}
        disabledReason={disabledReason}
        onSelect={() => onRun({ atCursor: true, explain: 'analyze' })}
      >
        Explain, run and roll back
      </MenuItem>
    </Menu>
  )
}
