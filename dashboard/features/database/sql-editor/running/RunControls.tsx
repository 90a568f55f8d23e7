import {
  ChevronDown,
  FilePlay,
  Layers,
  ListTree,
  Play,
  Route,
  TextCursor,
  Square,
  SlidersHorizontal,
} from 'lucide-react'
import { useEffect, useState } from 'react'
import { rowLimits } from '#contract/database/sql/sql-query'
import type { SqlDanger as Danger } from '#contract/database/sql/sql-tools'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Menu } from '../../../../ui/floats/Menu.tsx'
import { MenuItem, MenuChoice, MenuLabel, MenuSeparator } from '../../../../ui/floats/MenuItem.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { durationText } from '../results/result-words.ts'
import { Icon } from '../../../../ui/Icon.tsx'
import { setEditorPreference, useEditorPreferences } from '../editor/editor-preferences.ts'
import { Popover } from '../../../../ui/floats/Popover.tsx'
import { SelectField } from '../../../../ui/controls/Select.tsx'
import { Switch } from '../../../../ui/controls/Switch.tsx'
import { ConfirmDialog } from '../../../../ui/floats/ConfirmDialog.tsx'
import { CodeWell } from '../editor/CodeWell.tsx'
import type { RunWhat } from './use-query-run.ts'
import { type RunView, timeoutLabel, timeouts } from './runs.ts'

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

type RunButtonProps = {
  run: RunView | undefined
  disabledReason: string | undefined
  onRun: () => void
  onCancel: () => void
}

/** Runs the query; while it runs, how long it has, and Cancel in the same place. */
export function RunButton({ run, disabledReason, onRun, onCancel }: RunButtonProps) {
  if (run?.state.phase !== 'running')
    return (
      <Button
        variant="primary"
        className="sql-run"
        icon={Play}
        keys="mod+enter"
        disabledReason={disabledReason}
        onClick={onRun}
      >
        Run
      </Button>
    )
  return (
    <>
      <Elapsed since={run.startedAt} />
      <Button className="sql-run" icon={Square} busy={run.cancel === 'asked'} onClick={onCancel}>
        Cancel
      </Button>
    </>
  )
}

/** Counts from `since` (performance.now()) on. What is quick shows nothing. */
function Elapsed({ since }: { since: number }) {
  const [ms, setMs] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setMs(performance.now() - since), 100)
    return () => clearInterval(timer)
  }, [since])
  return (
    <span className="t12 muted tn" role="timer" aria-label="Running for">
      {ms >= 300 && durationText(ms)}
    </span>
  )
}

const labelOf = (limit: number | null) => (limit === null ? 'No limit' : `Limit ${limit}`)
const options = rowLimits.map((limit) => ({ value: String(limit), label: labelOf(limit) }))

/** How many rows a SELECT without a limit of its own may bring. */
export function LimitPicker() {
  const limit = useEditorPreferences((preferences) => preferences.limit)
  return (
    <Menu
      label="Row limit"
      trigger={
        <Button variant="ghost" aria-label={`Row limit: ${labelOf(limit)}`}>
          {limit === null ? 'No limit' : <LimitOf limit={limit} />}
          <Icon of={ChevronDown} size="xs" className="sql-caret" />
        </Button>
      }
    >
      <MenuLabel>Rows of a SELECT without a limit</MenuLabel>
      <MenuChoice
        label="Row limit"
        options={options}
        value={String(limit)}
        onChange={(value) =>
          setEditorPreference({ limit: value === 'null' ? null : Number(value) })
        }
      />
    </Menu>
  )
}

/** On a phone the number alone: what it is stands in the name of the button. */
const LimitOf = ({ limit }: { limit: number }) => (
  <span>
    <span className="hide-narrow">Limit </span>
    {limit}
  </span>
)

type RunSettingsProps = {
  /** Why this person's runs only ever read, if they do. */
  writeDenial: string | undefined
}

const timeoutOptions = timeouts.map(({ value, label }) => ({ value: String(value), label }))

/** How texts run here: for how long, reading only, inside a transaction. */
export function RunSettings({ writeDenial }: RunSettingsProps) {
  const { timeoutMs, readOnly, inTransaction, wrap } = useEditorPreferences()
  const onlyReads = readOnly || writeDenial !== undefined
  const parts = [
    ...(readOnly ? ['Read only'] : []),
    ...(inTransaction && !onlyReads ? ['Transaction'] : []),
  ]
  return (
    <Popover
      label="Run settings"
      trigger={
        <Button variant="ghost" icon={SlidersHorizontal} aria-label="Run settings">
          <span className="hide-narrow">{parts.length > 0 ? parts.join(', ') : 'Settings'}</span>
        </Button>
      }
    >
      <div className="sql-settings">
        <SelectField
          label="Statement timeout"
          options={timeoutOptions}
          value={String(timeoutMs)}
          placeholder={timeoutLabel(timeoutMs)}
          onChange={(value) => setEditorPreference({ timeoutMs: Number(value) })}
        />
        <Switch
          label="Read only"
          help={writeDenial ?? 'Postgres refuses statements that change anything.'}
          checked={onlyReads}
          disabled={writeDenial !== undefined}
          onChange={(checked) => setEditorPreference({ readOnly: checked })}
        />
        <Switch
          label="Keep a transaction open"
          help={
            onlyReads
              ? 'Read-only statements have nothing to commit.'
              : 'Nothing is saved until you commit. An idle transaction is rolled back after 5 minutes.'
          }
          checked={inTransaction && !onlyReads}
          disabled={onlyReads}
          onChange={(checked) => setEditorPreference({ inTransaction: checked })}
        />
        <Switch
          label="Wrap long lines"
          checked={wrap}
          onChange={(checked) => setEditorPreference({ wrap: checked })}
        />
      </div>
    </Popover>
  )
}

const reasons: Record<Danger['kind'], string> = {
  destructive: 'removes data or objects',
  'update-without-where': 'has no WHERE: it changes every row',
  'alter-database': 'changes the whole database and can lock everyone out',
}
/** More than this nobody reads; the rest is counted. */
const listed = 20

type DangerDialogProps = { dangers: readonly Danger[]; onClose: () => void; onRun: () => void }

/** Asks before statements run that can lose data, and shows exactly which. */
export function DangerDialog({ dangers, onClose, onRun }: DangerDialogProps) {
  const many = dangers.length > 1
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={
        many ? `Run ${dangers.length} destructive statements?` : 'Run this destructive statement?'
      }
      verb="Run anyway"
      error={undefined}
      pending={false}
      onConfirm={onRun}
    >
      <p>What {many ? 'they take' : 'it takes'} away cannot be brought back from here.</p>
      <ul className="sql-dangers">
        {dangers.slice(0, listed).map(({ kind, text, line }) => (
          <li key={`${line} ${text}`}>
            <p className="t12 muted">
              Line {line}: {reasons[kind]}
            </p>
            <CodeWell label={`Statement of line ${line}`}>
              {text.length > 2000 ? `${text.slice(0, 2000)}…` : text}
            </CodeWell>
          </li>
        ))}
      </ul>
      {dangers.length > listed && <p>And {dangers.length - listed} more.</p>}
    </ConfirmDialog>
  )
}
