import { useBlocker, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Table2 } from 'lucide-react'
import { useWorkDrafts } from '../../../session/identity/left-work.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { EntityList } from './entities/EntityList.tsx'
import { hasStaged, StagedContext, useStagedStore } from './rows/staged-context.ts'
import type { Staged } from './rows/staged.ts'
import './table-editor.css'

type Props = {
  projectRef: string
  schema: string
  openId: number | undefined
  onSchema: (schema: string) => void
  children: ReactNode
}

/** The list of tables beside whatever is open, and what was changed and not applied in any of them. */
export function EditorLayout({ projectRef, schema, openId, onSchema, children }: Props) {
  const drafts = useWorkDrafts<Staged>('staged-rows', projectRef)
  const store = useStagedStore(drafts)
  const unsaved = hasStaged(store)
  const inEditor = `/project/${projectRef}/editor`
  const blocker = useBlocker({
    shouldBlockFn: ({ next }) => unsaved && !next.pathname.startsWith(inEditor),
    enableBeforeUnload: unsaved,
    withResolver: true,
  })
  return (
    <StagedContext value={store}>
      <EntityList projectRef={projectRef} schema={schema} openId={openId} onSchema={onSchema} />
      {children}
      <ConfirmDialog
        open={blocker.status === 'blocked'}
        title="Leave without applying?"
        verb="Leave"
        error={undefined}
        pending={false}
        onClose={() => blocker.reset?.()}
        onConfirm={() => {
          for (const entity of Object.keys(store.histories)) drafts.drop(entity)
          blocker.proceed?.()
        }}
      >
        <p>You have row changes that are not applied yet. Leaving discards them.</p>
      </ConfirmDialog>
    </StagedContext>
  )
}

type NoTableProps = { projectRef: string; schema: string }

/** The page beside the list while no table is open. */
export function NoTable({ projectRef, schema }: NoTableProps) {
  return (
    <main className="main no-table" id="main">
      <EmptyState
        icon={Table2}
        title="Open a table"
        action={
          <Link
            className="btn"
            to="/project/$ref/editor/new"
            params={{ ref: projectRef }}
            search={{ schema }}
          >
            New table
          </Link>
        }
      >
        Choose one from the list to see and change its rows, or create a new one.
      </EmptyState>
    </main>
  )
}
