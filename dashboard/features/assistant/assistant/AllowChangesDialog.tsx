import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'

type Props = {
  sql: string
  /** Changes are not allowed in this chat yet. */
  first: boolean
  onClose: () => void
  onRun: () => void
}

/** Asks before SQL from an answer changes something, with the whole of it in view. */
export function AllowChangesDialog({ sql, first, onClose, onRun }: Props) {
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={first ? 'Allow changes in this chat?' : 'Run this change?'}
      verb={first ? 'Allow and run' : 'Run'}
      error={undefined}
      pending={false}
      onConfirm={onRun}
    >
      <p>
        This does more than read data. A model wrote it: make sure that it does what you want. It
        runs with your permissions, and you cannot undo what it deletes from here.
      </p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls must be reachable */}
      <pre className="well code assistant-statement" tabIndex={0} aria-label="Statement to run">
        {sql}
      </pre>
      {first && <p>You are asked again before every further change in this chat.</p>}
    </ConfirmDialog>
  )
}
