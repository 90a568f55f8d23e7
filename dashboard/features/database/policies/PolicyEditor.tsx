import { databasePolicies } from '#contract/database/database-policies'
import { sqlOf } from '#contract/ddl/change'
import { createPolicy, dropPolicy } from '#contract/ddl/policies'
import { pgMeta } from '#contract/database/pg-meta'
import { inlineEditor, SqlPanel } from '../../../modules/sql/SqlPanel.tsx'
import { useDenials } from '../../../session/organization/permissions.ts'
import { usePreview } from '../../../session/telemetry/previews.ts'
import { policyProtection } from '../../../modules/objects/protected-schemas.ts'
import { useProject } from '../../../session/project/use-project.ts'
import { draftOf, newPolicy, specOf } from './policy-draft.ts'
import { PolicyPanel, policyTitle, type PolicyPanelProps } from './PolicyPanel.tsx'

/** A policy in the form, or as SQL for whoever tries the preview. */
export function PolicyEditor(props: PolicyPanelProps) {
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
