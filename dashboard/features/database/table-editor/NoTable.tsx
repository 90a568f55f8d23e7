import { Link } from '@tanstack/react-router'
import { Table2 } from 'lucide-react'
import { EmptyState } from '../../../ui/EmptyState.tsx'

type Props = { projectRef: string; schema: string }

/** The page beside the list while no table is open. */
export function NoTable({ projectRef, schema }: Props) {
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
