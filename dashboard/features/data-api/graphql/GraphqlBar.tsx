import { BookOpen, History, Play, TextAlignStart } from 'lucide-react'
import type { Impersonation } from '../../../modules/roles/impersonation.ts'
import { RolePicker } from '../../../modules/roles/RolePicker.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Menu } from '../../../ui/floats/Menu.tsx'
import { MenuItem } from '../../../ui/floats/MenuItem.tsx'
import { useConsole, type Draft } from './console-state.ts'
import { titleOf } from './document.ts'

type Props = {
  projectRef: string
  as: Impersonation | undefined
  onAs: (as: Impersonation | undefined) => void
  running: boolean
  runDenial: string | undefined
  docsOpen: boolean
  onDocs: () => void
  onPrettify: () => void
  onDraft: (draft: Draft) => void
  onRun: () => void
}

const none: readonly Draft[] = []

/** What can be done with the document that is written. */
export function GraphqlBar({ projectRef, as, docsOpen, ...does }: Props) {
  const history = useConsole((state) => state.history[projectRef] ?? none)
  return (
    <header className="obj gq-bar">
      <h1>GraphiQL</h1>
      <span className="grow" />
      <Menu
        label="Documents that ran"
        align="end"
        trigger={
          <IconButton
            icon={History}
            label="History"
            disabledReason={history.length === 0 && 'Nothing has run in this browser yet'}
          />
        }
      >
        {history.map((draft) => (
          <MenuItem key={`${draft.query} ${draft.variables}`} onSelect={() => does.onDraft(draft)}>
            <span className="mono gq-past">{titleOf(draft.query)}</span>
          </MenuItem>
        ))}
      </Menu>
      <IconButton icon={TextAlignStart} label="Prettify" onClick={does.onPrettify} />
      <IconButton
        icon={BookOpen}
        label={docsOpen ? 'Hide the documentation' : 'Show the documentation'}
        aria-pressed={docsOpen}
        onClick={does.onDocs}
      />
      <RolePicker
        projectRef={projectRef}
        own="service_role"
        value={as}
        onChange={does.onAs}
        verb="Run as"
      />
      <Button
        variant="primary"
        icon={Play}
        keys="mod+enter"
        busy={does.running}
        disabledReason={does.runDenial}
        onClick={does.onRun}
      >
        Run
      </Button>
    </header>
  )
}
