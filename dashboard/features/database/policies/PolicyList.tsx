import { Ellipsis, Globe, Pencil, Trash2 } from 'lucide-react'
import { dropPolicy, createPolicy } from '#contract/ddl/policies'
import { type GuardedTable, databasePolicies } from '#contract/database/database-policies'
import type { Policy } from '#contract/database/pg-meta-shapes'
import { sqlOf } from '#contract/ddl/change'
import { pgMeta } from '#contract/database/pg-meta'
import type { useReview } from '../../../modules/objects/ReviewChange.tsx'
import { inlineEditor, SqlPanel } from '../../../modules/sql/SqlPanel.tsx'
import { useDenials } from '../../../session/organization/permissions.ts'
import { usePreview } from '../../../session/telemetry/previews.ts'
import { policyProtection } from '../../../modules/objects/protected-schemas.ts'
import { useProject } from '../../../session/project/project.ts'
import { Badge } from '../../../ui/text/Badge.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Menu } from '../../../ui/floats/Menu.tsx'
import { MenuItem, MenuSeparator } from '../../../ui/floats/MenuItem.tsx'
import { draftOf, newPolicy, specOf, type PolicyTemplate } from './policy-draft.ts'
import { PolicyPanel, policyTitle, type PolicyPanelProps } from './PolicyPanel.tsx'

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

/** A policy in the form, or as SQL for whoever tries the preview. */
function PolicyEditor(props: PolicyPanelProps) {
  const { schema, name } = props.table
  const denied = useDenials(useProject(props.projectRef))(databasePolicies.create)
  const locked = denied ?? policyProtection(schema, name)
  // Who can only look sees what the form says of it.
  const asSql = usePreview(inlineEditor) && locked === undefined
  return asSql ? <PolicySql {...props} /> : <PolicyPanel {...props} />
}

function PolicySql({ projectRef, table, found, onClose }: PolicyPanelProps) {
  const { schema, name } = table
  const fresh = { ...newPolicy(schema, name), name: 'new policy', definition: 'true' }
  const statements = found
    ? [...dropPolicy(found).statements, ...createPolicy(specOf(draftOf(found))).statements]
    : createPolicy(specOf(fresh)).statements
  return (
    <SqlPanel
      projectRef={projectRef}
      title={policyTitle(!found, name)}
      kind="policy"
      name={found?.name}
      about={found?.name ?? name}
      start={sqlOf(statements)}
      done={`The policy is ${found ? 'changed' : 'created'}`}
      forgets={[databasePolicies.tables, pgMeta.entity]}
      onClose={onClose}
    />
  )
}

type PolicyRowProps = {
  policy: Policy
  locked: string | undefined
  onEdit: () => void
  onDrop: () => void
}

/** What a policy is for, for whom, and by which expression. */
function PolicyRow({ policy, locked, onEdit, onDrop }: PolicyRowProps) {
  const { name, command, action, roles, definition, check } = policy
  const forAnon =
    action === 'PERMISSIVE' && roles.some((role) => role === 'anon' || role === 'public')
  return (
    <li className="policy-row">
      <span className="policy-command mono">{command}</span>
      <div className="policy-what">
        <span className="row policy-line">
          <button type="button" className="policy-name" onClick={onEdit}>
            {name}
          </button>
          {action === 'RESTRICTIVE' && <Badge tone="info">Restrictive</Badge>}
          {forAnon && (
            <Badge tone="warning" icon={Globe}>
              Without sign-in
            </Badge>
          )}
        </span>
        <span className="muted t12">
          {roles.length === 1 ? 'Role' : 'Roles'} <span className="mono">{roles.join(', ')}</span>
        </span>
        {definition !== null && <Expression what="Using" sql={definition} />}
        {check !== null && <Expression what="With check" sql={check} />}
      </div>
      <Menu
        label={`What to do with ${name}`}
        align="end"
        trigger={<IconButton icon={Ellipsis} label={`What to do with ${name}`} />}
      >
        <MenuItem icon={Pencil} onSelect={onEdit}>
          {locked ? 'View' : 'Edit'}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={Trash2} danger disabledReason={locked} onSelect={onDrop}>
          Drop policy
        </MenuItem>
      </Menu>
    </li>
  )
}

function Expression({ what, sql }: { what: string; sql: string }) {
  return (
    <span className="policy-expression">
      <span className="faint t12">{what}</span>
      <code className="mono t12">{sql}</code>
    </span>
  )
}
