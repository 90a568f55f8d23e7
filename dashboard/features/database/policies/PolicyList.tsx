import { dropPolicy } from '#contract/ddl/policies'
import type { GuardedTable } from '#contract/database/database-policies'
import type { Policy } from '#contract/database/pg-meta-shapes'
import type { useReview } from '../../../modules/objects/use-review.tsx'
import { PolicyEditor } from './PolicyEditor.tsx'
import { PolicyRow } from './PolicyRow.tsx'
import type { PolicyTemplate } from './policy-templates.ts'

/** The policy that is written: a new one, or one that there is. */
export type Written = { policy?: Policy }
type Props = {
  projectRef: string
  table: GuardedTable
  policies: readonly Policy[]
  /** Why nothing can be changed here. */
  locked: string | undefined
  /** What it means that there is no policy. */
  none: string
  templates?: PolicyTemplate[] | undefined
  review: ReturnType<typeof useReview>
  written: Written | undefined
  onWrite: (written: Written | undefined) => void
}

/** Policies, each with what can be done to it, and the panel in which one is written. */
export function PolicyList(props: Props) {
  const { projectRef, table, policies, locked, none, templates, review, written, onWrite } = props
  const drop = (policy: Policy) =>
    review.ask({
      change: dropPolicy(policy),
      title: 'Drop policy',
      verb: 'Drop policy',
      danger: true,
      done: `${policy.name} is dropped`,
      children: (
        <p>
          Rows that only <b>{policy.name}</b> allows can no longer be reached
          {policy.action === 'RESTRICTIVE' && '; rows that only it blocks can be'}.
        </p>
      ),
    })
  return (
    <>
      {policies.length > 0 ? (
        <ul className="policy-list">
          {policies.map((policy) => (
            <PolicyRow
              key={policy.id}
              policy={policy}
              locked={locked}
              onEdit={() => onWrite({ policy })}
              onDrop={() => drop(policy)}
            />
          ))}
        </ul>
      ) : (
        <p className="policy-none muted">{none}</p>
      )}
      {written && (
        <PolicyEditor
          projectRef={projectRef}
          table={table}
          {...(written.policy ? { found: written.policy } : {})}
          {...(templates ? { templates } : {})}
          onClose={() => onWrite(undefined)}
        />
      )}
      {review.dialog}
    </>
  )
}
