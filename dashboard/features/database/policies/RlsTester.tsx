import {
  useInfiniteQuery,
  useQuery,
  infiniteQueryOptions,
  keepPreviousData,
} from '@tanstack/react-query'
import { useState } from 'react'
import { rlsCommands, type RlsCommand, rlsTest, type RlsResult } from '#contract/database/rls-test'
import type { NewCell } from '#contract/database/rows/table-rows'
import { pgMeta } from '#contract/database/pg-meta'
import type { Impersonation } from '../../../modules/roles/impersonation.ts'
import { RolePicker } from '../../../modules/roles/RolePicker.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { callDatabase, databaseQuery } from '../../../session/project/database.ts'
import { RlsRows } from './RlsRows.tsx'
import { RlsSummary } from './RlsSummary.tsx'
import { RlsValues } from './RlsValues.tsx'

type RlsCase = {
  /** undefined is the database's owner. */
  who: Impersonation | undefined
  command: RlsCommand
  values: Record<string, NewCell>
  onlySeen: boolean
}

/** It changes nothing, whatever the command: see contract/database/rls-test.ts. */
const rlsQuery = (ref: string, id: number, { who, command, values, onlySeen }: RlsCase) =>
  infiniteQueryOptions({
    queryKey: [rlsTest.run.name, { ref, id, who, command, values, onlySeen }],
    queryFn: ({ pageParam, signal }) =>
      callDatabase(
        rlsTest.run,
        {
          ref,
          id,
          as: who ? { role: who.role, claims: who.claims } : { role: 'postgres' },
          command,
          values,
          only_seen: onlySeen,
          ...(pageParam ? { cursor: pageParam } : {}),
        },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }: RlsResult) => next ?? undefined,
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 0,
  })

const testedTableQuery = (ref: string, id: number) => databaseQuery(pgMeta.entity, { ref, id })

type Props = { projectRef: string; tableId: number; onClose: () => void }

const nobody: Impersonation = { role: 'anon', label: 'anon', claims: { role: 'anon' } }
const options = rlsCommands.map((value) => ({
  value,
  label: value.charAt(0) + value.slice(1).toLowerCase(),
}))

/** Tries a command as a role without carrying it out: which rows it would reach, and which policy decided. */
export function RlsTester({ projectRef, tableId, onClose }: Props) {
  const table = useQuery(testedTableQuery(projectRef, tableId))
  const [who, setWho] = useState<Impersonation | undefined>(nobody)
  const [command, setCommand] = useState<RlsCommand>('SELECT')
  const [values, setValues] = useState<Record<string, NewCell>>({})
  const [onlySeen, setOnlySeen] = useState(false)
  const writes = command === 'INSERT' || command === 'UPDATE'
  const found = useInfiniteQuery(
    rlsQuery(projectRef, tableId, {
      who,
      command,
      values: writes ? values : {},
      onlySeen: onlySeen && command !== 'INSERT',
    }),
  )
  const [first] = found.data?.pages ?? []
  const rows = found.data?.pages.flatMap((page) => page.rows) ?? []
  return (
    <SidePanel
      open
      size="xxxlarge"
      onClose={onClose}
      title={
        <>
          Test the policies of <span className="mono">{table.data?.name ?? '…'}</span>
        </>
      }
    >
      <div className="rls-head">
        <Segmented
          label="Command"
          options={options}
          value={command}
          onChange={(next) => {
            setCommand(next)
            setValues({})
          }}
        />
        <RolePicker projectRef={projectRef} value={who} onChange={setWho} verb="As" align="start" />
        <span className="grow" />
        {command !== 'INSERT' && (
          <Checkbox
            label="Only rows the role can see"
            checked={onlySeen}
            onChange={(event) => setOnlySeen(event.target.checked)}
          />
        )}
      </div>
      <div className="rls-body">
        {writes && (
          <RlsValues
            key={command}
            command={command}
            columns={table.data?.columns ?? []}
            tried={values}
            onValues={setValues}
          />
        )}
        {found.error && (
          <ErrorNote
            what="What the policies say"
            error={found.error}
            onRetry={() => void found.refetch()}
          />
        )}
        {found.isPending && <Skeleton width="60%" height={20} />}
        {first && !found.error && (
          <>
            <RlsSummary
              result={first}
              rows={rows}
              command={command}
              role={who?.role ?? 'postgres'}
              more={found.hasNextPage}
            />
            <RlsRows result={first} rows={rows} command={command} />
            {found.hasNextPage && (
              <Button busy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
                Show more rows
              </Button>
            )}
          </>
        )}
        <p className="help">
          Nothing is changed: the test reads rows and evaluates each policy as the role, in a
          read-only transaction that is rolled back. Triggers do not fire. Functions in a policy
          that act outside the database, such as by a network call, do so here too.
        </p>
      </div>
    </SidePanel>
  )
}
