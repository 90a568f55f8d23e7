import { useQuery } from '@tanstack/react-query'
import { ListTree } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { databaseObjects } from '#contract/database/database-objects'
import { migrations } from '#contract/database/migrations'
import { queryPerformance, type Statement } from '#contract/observability/query-performance'
import { CallError } from '../../../api/client.ts'
import { AdviceCard, changeOf, keyOfAdvice } from '../../../modules/advice/AdviceCard.tsx'
import { callDatabase, databaseQuery } from '../../../session/project/database.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { useReview } from '../../../modules/objects/ReviewChange.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Progress } from '../../../ui/Progress.tsx'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'
import { mayGain, shareOf, withAdvice, type Advised } from './index-advice.ts'

type Props = { projectRef: string; onClose: () => void }

const maxLookedAt = 20

/** The customer's own statements that cost the most time. */
const busiestQuery = (ref: string) =>
  databaseQuery(queryPerformance.list, { ref, limit: 100 }, 10_000)

/** Looks at the busiest statements one after the other: which index would make any of them cheaper. */
export function IndexAdvisor({ projectRef, onClose }: Props) {
  const busiest = useQuery(busiestQuery(projectRef))
  const why = useDenials(useProject(projectRef))
  const { ask, dialog } = useReview(projectRef, databaseObjects.indexes)
  const { state, look, forget } = useLook(projectRef)
  const statements = busiest.data?.statements.filter(mayGain).slice(0, maxLookedAt) ?? []
  const { found, done, failure, made } = state
  const running = done !== undefined && done < statements.length && !failure
  return (
    <SidePanel open size="large" onClose={onClose} title="Index advisor">
      <p className="muted">
        Looks at the {statements.length || ''} statements that cost the most time. It builds each
        candidate in a transaction, checks the plan again and rolls everything back. It skips tables
        over 256 MB.
      </p>
      {busiest.error && (
        <ErrorNote
          what="The statements"
          error={busiest.error}
          onRetry={() => void busiest.refetch()}
        />
      )}
      {busiest.data && statements.length === 0 && (
        <EmptyState icon={ListTree} title="No statements to look at">
          {busiest.data.state === 'ready'
            ? 'Nothing has run since counting began.'
            : 'This database does not count its statements. Query performance explains how to turn this on.'}
        </EmptyState>
      )}
      {statements.length > 0 && (
        <div className="row">
          <Button
            icon={ListTree}
            busy={running}
            disabledReason={why(queryPerformance.advice)}
            onClick={() => void look(statements)}
          >
            {done === undefined ? 'Suggest indexes' : 'Check again'}
          </Button>
          {running && <Progress label={`Statement ${done + 1} of ${statements.length}`} />}
        </div>
      )}
      {failure && <ErrorNote what="The advice" error={failure} />}
      {found.map((one) => (
        <AdviceCard
          key={keyOfAdvice(one.advice)}
          advice={one.advice}
          denial={why(migrations.change)}
          onCreate={() =>
            ask({
              change: changeOf(one.advice),
              title: 'Create index',
              verb: 'Create index',
              done: 'Index created',
              onDone: () => forget(one),
              children: (
                <p>Reads and writes continue meanwhile. On a large table this can take a while.</p>
              ),
            })
          }
        >
          <Helped one={one} />
        </AdviceCard>
      ))}
      {done === statements.length && statements.length > 0 && found.length === 0 && (
        <output className="help">
          {made
            ? 'What was advised is made.'
            : 'No index on columns of these statements makes any of them at least a tenth cheaper.'}
        </output>
      )}
      {dialog}
    </SidePanel>
  )
}

function Helped({ one }: { one: Advised }) {
  const [first] = one.statements
  return (
    <>
      <p className="mono t12 ell" title={first?.query}>
        {first?.query.replace(/\s+/g, ' ').slice(0, 200)}
      </p>
      <p className="muted t12">
        {one.statements.length === 1 ? '1 statement' : `${one.statements.length} statements`},{' '}
        {(shareOf(one) * 100).toFixed(1)} % of the time
      </p>
    </>
  )
}

type Look = {
  found: Advised[]
  done: number | undefined
  failure: CallError | undefined
  /** Some of what was found is there by now. */
  made: boolean
}
const nothing: Look = { found: [], done: undefined, failure: undefined, made: false }

/** Goes on until all are looked at or the panel is closed. What the planner refuses to plan is passed by. */
function useLook(ref: string) {
  const [state, setState] = useState(nothing)
  const abort = useRef<AbortController>(undefined)
  useEffect(() => () => abort.current?.abort(), [])
  async function look(statements: readonly Statement[]) {
    const { signal } = (abort.current = new AbortController())
    setState({ ...nothing, done: 0 })
    for (const statement of statements) {
      let indexes: Parameters<typeof withAdvice>[2] = []
      try {
        ;({ indexes } = await callDatabase(
          queryPerformance.advice,
          { ref, query: statement.query },
          signal,
        ))
      } catch (error) {
        if (signal.aborted) return
        if (!(error instanceof CallError)) throw error
        if (error.code !== 400) return setState((now) => ({ ...now, failure: error }))
      }
      if (signal.aborted) return
      setState(({ found, done = 0, ...rest }) => ({
        ...rest,
        found: withAdvice(found, statement, indexes),
        done: done + 1,
      }))
    }
  }
  const forget = (one: Advised) =>
    setState((now) => ({
      ...now,
      made: true,
      found: now.found.filter((other) => other !== one),
    }))
  return { state, look, forget }
}
