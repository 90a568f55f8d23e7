import { useQuery } from '@tanstack/react-query'
import { Activity } from 'lucide-react'
import { useState } from 'react'
import type { Session } from '#contract/database/activity'
import { Button } from '../../ui/controls/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Table } from '../../ui/lists/Table.tsx'
import { sessionColumns, EndDialog, type Deed } from './session-columns.tsx'
import { blockingTree, isBusy, narrowed } from './blocking.ts'
import { sessionsQuery } from './sessions.ts'
import './running.css'

type Props = {
  projectRef: string
  words: string
  /** Also those that do nothing. */
  idleToo: boolean
  /** Leaves out what a narrow panel has no room for. */
  short?: boolean
  onShowAll: () => void
}

/** What runs in the database now, who waits for whom, and the way to stop it. It keeps itself up to date. */
export function SessionList({ projectRef, words, idleToo, short = false, onShowAll }: Props) {
  const query = useQuery(sessionsQuery(projectRef))
  const [asked, setAsked] = useState<{ session: Session; deed: Deed }>()
  const all = query.data?.sessions
  const wanted = words.toLowerCase()
  const keep = (session: Session) =>
    (idleToo || isBusy(session)) &&
    `${session.pid} ${session.role} ${session.application} ${session.query ?? ''}`
      .toLowerCase()
      .includes(wanted)
  const nodes = all && blockingTree(narrowed(all, keep))
  return (
    <>
      <div className="card">
        <Table
          key={`${words} ${idleToo}`}
          label="Sessions"
          rowHeight={60}
          columns={sessionColumns({
            projectRef,
            now: query.data?.now ?? '',
            short,
            onEnd: (session, deed) => setAsked({ session, deed }),
          })}
          rows={nodes}
          keyOf={({ session: { pid, started } }) => `${pid} ${started ?? ''}`}
          error={query.error}
          onRetry={() => void query.refetch()}
          empty={
            <EmptyState
              icon={Activity}
              title={all?.length ? 'No matching queries' : 'No one is connected'}
              action={
                all?.length ? (
                  <Button onClick={onShowAll}>Show all sessions</Button>
                ) : (
                  <Button onClick={() => void query.refetch()}>Check again</Button>
                )
              }
            >
              {all?.length
                ? `${all.length} ${all.length === 1 ? 'session is' : 'sessions are'} connected.`
                : 'Queries appear here while they run.'}
            </EmptyState>
          }
        />
      </div>
      {asked && (
        <EndDialog
          projectRef={projectRef}
          session={asked.session}
          deed={asked.deed}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}
